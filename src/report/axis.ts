import { countText } from '../core/count-text.ts'
import { plainText } from './figure-text.ts'

/** One direction of a plot: which values it shows, where each of them lies, and which are named. */
export interface Axis {
  /** With its unit. */
  readonly title: string
  /** Between 0, where the axis begins, and 1, where it ends. */
  at(value: number): number
  readonly ticks: readonly Tick[]
}

export interface Tick {
  readonly value: number
  readonly text: string
}

type TickText = (value: number) => string

const stepSizes = [1, 2, 2.5, 5, 10] as const

/** The smallest round number of steps that gives no more than so many ticks. */
function roundStep(span: number, mostTicks: number): number {
  const least = span / mostTicks
  const power = 10 ** Math.floor(Math.log10(least))
  return power * (stepSizes.find(size => size * power >= least) ?? 10)
}

const within = (share: number): number => Math.min(1, Math.max(0, share))

/** From 0 to the first round number that nothing goes beyond. */
export function zeroAxis(title: string, most: number, text: TickText = plainText, mostTicks = 4): Axis {
  const largest = Number.isFinite(most) && most > 0 ? most : 1
  const step = roundStep(largest, mostTicks)
  const steps = Math.ceil(largest / step - 1e-9)
  const end = steps * step
  return {
    title,
    at: value => within(value / end),
    ticks: Array.from({ length: steps + 1 }, (_, nth) => ({ value: nth * step, text: text(nth * step) })),
  }
}

/** Shares of a whole: from 0 to 1 and no further, or to less where there is little of them. */
export const shareAxis = (title: string, most: number): Axis =>
  zeroAxis(title, Math.min(1, Math.max(0.01, most)), share => `${plainText(share * 100)} %`)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const units = [
  { unitMs: second, name: 's', steps: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20] },
  { unitMs: minute, name: 'min', steps: [0.5, 1, 2, 5, 10, 20] },
  { unitMs: hour, name: 'h', steps: [0.5, 1, 2, 4, 6, 12] },
  { unitMs: day, name: 'days', steps: [1, 2, 5, 10, 20, 50, 100] },
] as const

/** Time since the start, in the unit that makes the numbers small. */
export function timeAxis(durationMs: number, mostTicks = 8): Axis {
  const span = Math.max(100, durationMs)
  for (const { unitMs, name, steps } of units)
    for (const size of steps) {
      const stepMs = size * unitMs
      if (span / stepMs > mostTicks) continue
      const count = Math.floor(span / stepMs + 1e-9) + 1
      const ticks = Array.from({ length: count }, (_, nth) => ({ value: nth * stepMs, text: plainText(nth * size) }))
      return { title: `time since the start, ${name}`, at: value => within(value / span), ticks }
    }
  return { title: 'time since the start', at: value => within(value / span), ticks: [] }
}

/** Each doubling takes the same room: for what is turned up by factors. Named are the powers, or the values given. */
export function doublingAxis(
  title: string,
  [least, most]: readonly [number, number],
  named: readonly number[] = [],
  text: TickText = countText,
): Axis {
  const [from, to] = [Math.log2(least), Math.log2(Math.max(most, least * 2))]
  const every = Math.max(1, Math.ceil((to - from) / 8))
  const powers = Array.from({ length: Math.floor(to) - Math.ceil(from) + 1 }, (_, nth) => 2 ** (Math.ceil(from) + nth))
  const values = named.length > 0 ? named : powers.filter((_, nth) => nth % every === 0)
  return {
    title,
    at: value => within((Math.log2(Math.max(value, least)) - from) / (to - from)),
    ticks: values.map(value => ({ value, text: text(value) })),
  }
}
