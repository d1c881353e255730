import type { HostPolicy } from '../job/job.ts'

/** Mean time between two departures that delay and rate alone ask for; 0: none. */
export const meanSpacingMs = ({ delayMs, rate }: Pick<HostPolicy, 'delayMs' | 'rate'>): number =>
  Math.max((delayMs.min + delayMs.max) / 2, rate === null ? 0 : 1_000 / rate.tokensPerSecond)
