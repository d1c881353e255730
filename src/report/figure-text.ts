import { countText } from '../core/count-text.ts'

/** Numbers as people read them, each with its unit. */

/** Three figures and no more: what is measured is not known any closer. */
export function plainText(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return countText(value)
  return String(Number(value.toPrecision(size < 0.1 ? 1 : size < 10 ? 2 : 3)))
}

export const percentText = (share: number): string => {
  const percent = share * 100
  return `${percent > 0 && percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : Math.round(percent)} %`
}

export function bytesText(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`
  if (value < 1e6) return `${plainText(value / 1e3)} kB`
  return value < 1e9 ? `${plainText(value / 1e6)} MB` : `${plainText(value / 1e9)} GB`
}

export const millisecondsText = (value: number): string =>
  value >= 10_000 ? durationText(value) : `${plainText(value)} ms`

export function durationText(durationMs: number): string {
  const seconds = durationMs / 1000
  if (seconds < 120) return `${plainText(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  return minutes < 120
    ? `${minutes} min ${Math.round(seconds) % 60} s`
    : `${countText(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** `2 pages`, `1 page`. */
export const manyText = (value: number, noun: string): string => `${countText(value)} ${noun}${value === 1 ? '' : 's'}`
