/**
 * What one more costs, told from what so many cost together: the slope of the straight line that lies nearest to what was
 * seen (least squares). A cost that comes with each time, whatever the number, is not in it.
 */
export interface LineFit {
  record(count: number, ms: number): void
  /** Milliseconds of each; never more than the mean. Null: the counts were too few or too much alike to tell. */
  eachMs(): number | null
  readonly counted: number
}

const fewest = 8
/** Standard deviation of the counts over their mean: below it what times vary by anyway decides. */
const leastSpread = 0.1

export function createLineFit(): LineFit {
  let [times, counted, squares, totalMs, products] = [0, 0, 0, 0, 0]
  return {
    record(count, ms) {
      times += 1
      counted += count
      squares += count * count
      totalMs += ms
      products += count * ms
    },
    eachMs() {
      const mean = counted / times
      const variance = squares / times - mean * mean
      if (times < fewest || variance < (leastSpread * mean) ** 2) return null
      const slope = (products / times - (mean * totalMs) / times) / variance
      return Math.min(totalMs / counted, Math.max(0, slope))
    },
    get counted() {
      return counted
    },
  }
}
