/** Figures over time, in buckets of half a second. */
export const bucketMs = 500

export interface Series {
  count(atMs: number): void
  /** Adds `weight` for each ms of the interval. */
  spread(fromMs: number, toMs: number, weight: number): void
  /** Sum of the buckets from one second to another. */
  sum(fromS: number, toS: number): number
}

export function createSeries(seconds: number): Series {
  const buckets = new Float64Array(Math.ceil((seconds * 1000) / bucketMs) + 1)
  const last = buckets.length - 1
  const bucketOf = (atMs: number): number => Math.min(last, Math.floor(atMs / bucketMs))
  const between = (fromS: number, toS: number): Float64Array =>
    buckets.subarray(Math.round((fromS * 1000) / bucketMs), Math.round((toS * 1000) / bucketMs))
  function add(bucket: number, value: number): void {
    buckets[bucket] = (buckets[bucket] ?? 0) + value
  }
  return {
    count: atMs => add(bucketOf(atMs), 1),
    spread(fromMs, toMs, weight) {
      let at = fromMs
      for (let bucket = bucketOf(fromMs); bucket < last && (bucket + 1) * bucketMs < toMs; bucket += 1) {
        add(bucket, ((bucket + 1) * bucketMs - at) * weight)
        at = (bucket + 1) * bucketMs
      }
      add(bucketOf(at), (toMs - at) * weight)
    },
    sum: (fromS, toS) => between(fromS, toS).reduce((sum, value) => sum + value, 0),
  }
}
