/**
 * How well an exit does, as one number, out of its last attempts alone.
 *
 *     score = f(p95) / (1 + 4 c)
 *
 *     c        sum of the costs of the samples over (their number + 4): four good attempts are assumed beforehand, so
 *              that one fault of a newcomer is no verdict
 *     f(p95)   1 while 95 % of the attempts had their first byte, connecting included, within a quarter of the time
 *              budget; from there down to 1/4 in a straight line where they use all of it
 *
 * Costs: what an attempt takes from the run. A connection that fails is gone at once (1), and so is an answer that is
 * a no (1). A lie has to be read before it is known for one (2). A time-out is dearest (3): the permit of a host and a
 * place of the run are held all the while.
 *
 * Only the last 32 samples of the last five minutes count: a proxy is as good as it is now.
 */
export type SampleKind = 'good' | 'connect' | 'refused' | 'denied' | 'timeout' | 'block' | 'lie'

interface Sample {
  readonly atMs: number
  readonly kind: SampleKind
  /** Connecting and waiting; null where no byte came. */
  readonly latencyMs: number | null
}

export interface Health {
  /** The latest come last. */
  readonly samples: Sample[]
  /** Changes with each of them. */
  version: number
}

const costs: Readonly<Record<SampleKind, number>> = {
  good: 0,
  connect: 1,
  refused: 1,
  denied: 1,
  block: 1,
  lie: 2,
  timeout: 3,
}

const mostSamples = 32
const windowMs = 300_000
const assumedGood = 4
const costWeight = 4
const easyPart = 1 / 4
const slowestFactor = 1 / 4

export const newHealth = (): Health => ({ samples: [], version: 0 })

export function noteSample(health: Health, kind: SampleKind, latencyMs: number | null, nowMs: number): void {
  const { samples } = health
  health.version += 1
  samples.push({ atMs: nowMs, kind, latencyMs })
  if (samples.length > mostSamples) samples.shift()
}

/** The last good one was none: its page turned out to say no. */
export function amendSample(health: Health, kind: SampleKind): void {
  const { samples } = health
  health.version += 1
  const at = samples.findLastIndex(sample => sample.kind === 'good')
  const sample = samples[at]
  if (sample !== undefined) samples[at] = { ...sample, kind }
}

const recent = ({ samples }: Health, nowMs: number): readonly Sample[] =>
  samples.filter(({ atMs }) => atMs > nowMs - windowMs)

/** Null: nothing answered of late. */
export function latencyP95Ms(health: Health, nowMs: number): number | null {
  const latencies = recent(health, nowMs).flatMap(({ latencyMs }) => latencyMs ?? [])
  latencies.sort((left, right) => left - right)
  return latencies[Math.ceil(latencies.length * 0.95) - 1] ?? null
}

function latencyFactor(p95Ms: number, budgetMs: number): number {
  const used = (p95Ms / budgetMs - easyPart) / (1 - easyPart)
  return 1 - (1 - slowestFactor) * Math.min(1, Math.max(0, used))
}

/** In (0, 1]; 1 for one that was never used. `budgetMs`: how long an attempt may take to its first byte. */
export function scoreOf(health: Health, budgetMs: number, nowMs: number): number {
  let cost = 0
  let count = assumedGood
  let slowestMs = 0
  for (const { atMs, kind, latencyMs } of health.samples) {
    if (atMs <= nowMs - windowMs) continue
    cost += costs[kind]
    count += 1
    if (latencyMs !== null && latencyMs > slowestMs) slowestMs = latencyMs
  }
  // Most exits never come near: their latencies need no sorting.
  const isEasy = slowestMs <= budgetMs * easyPart
  const factor = isEasy ? 1 : latencyFactor(latencyP95Ms(health, nowMs) ?? 0, budgetMs)
  return factor / (1 + (costWeight * cost) / count)
}
