const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time as it is written: `500ms`, `90s`, `1.5h`. */
export const durationPattern = /^\s*(\d+(?:\.\d+)?) ?(ms|s|m|h|d)\s*$/

/** Milliseconds; null when it is no time with a unit. */
export function durationMs(text: string): number | null {
  const [, digits, unit = ''] = durationPattern.exec(text) ?? []
  return digits === undefined ? null : Math.round(Number(digits) * (unitMs[unit] ?? 0))
}
