/**
 * How long something took, many thousand times, in a few kilobytes.
 *
 * A log-linear histogram in the manner of Tene's HdrHistogram: each power of two is cut into 16 buckets of one width, so
 * that a bucket is never wider than a sixteenth of what it counts and a percentile, told as the middle of its bucket, is
 * wrong by a thirty-second at most. The bucket of a value is the upper bits of its binary form (IEEE 754: the exponent,
 * then the first four of the fraction), read and not computed: a record is a store, a shift and an increment. Count, sum
 * and maximum are exact beside it. Milliseconds from a thousandth to two weeks; what is outside is counted at the edge.
 */
export interface Histogram {
  /** What is not positive counts as nothing at all. */
  record(ms: number): void
  readonly count: number
  readonly totalMs: number
  summary(): Spread
}

/** Of one stage, over all that went through it. */
export interface Spread {
  readonly count: number
  readonly totalMs: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const fractionBits = 4
const leastPower = -10
const mostPower = 30
const exponentBias = 1023
/** Buckets below the first one of the range. */
const offset = (leastPower + exponentBias) << fractionBits
const bucketCount = (mostPower - leastPower) << fractionBits

const scratch = new Float64Array(1)
const words = new Uint32Array(scratch.buffer)
/** Which half of a double has its exponent depends on the machine. */
scratch[0] = 1
const upper = words[0] === 0 ? 1 : 0

function bucketOf(ms: number): number {
  scratch[0] = ms
  const bucket = ((words[upper] ?? 0) >>> (20 - fractionBits)) - offset
  return Math.min(bucketCount - 1, Math.max(0, bucket))
}

/** The middle of a bucket. */
function middleOf(bucket: number): number {
  const steps = 1 << fractionBits
  const power = Math.floor(bucket / steps) + leastPower
  return 2 ** power * (1 + ((bucket % steps) + 0.5) / steps)
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000

export function createHistogram(): Histogram {
  const buckets = new Uint32Array(bucketCount)
  let [count, zeroes, totalMs, maxMs] = [0, 0, 0, 0]

  /** By nearest rank. */
  function percentile(part: number): number {
    let left = Math.max(1, Math.ceil(part * count)) - zeroes
    if (count === 0 || left <= 0) return 0
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      left -= buckets[bucket] ?? 0
      if (left <= 0) return Math.min(maxMs, middleOf(bucket))
    }
    return maxMs
  }

  return {
    record(ms) {
      count += 1
      if (!(ms > 0)) {
        zeroes += 1
        return
      }
      totalMs += ms
      if (ms > maxMs) maxMs = ms
      const bucket = bucketOf(ms)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    },
    get count() {
      return count
    },
    get totalMs() {
      return totalMs
    },
    summary: () => ({
      count,
      totalMs: round(totalMs),
      meanMs: count === 0 ? 0 : round(totalMs / count),
      p50Ms: round(percentile(0.5)),
      p90Ms: round(percentile(0.9)),
      p99Ms: round(percentile(0.99)),
      maxMs: round(maxMs),
    }),
  }
}
