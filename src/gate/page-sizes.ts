/**
 * What pages have needed, and with it what the next one may need. The source is Jacobson, Congestion Avoidance and Control
 * (1988), twice: how far a value strays tells more than what it is on average, and who knows nothing yet begins with
 * little and has twice as much after each answer.
 *
 *     likely    = mean + deviation      of the sizes that were seen; the newest counts for a quarter
 *     could be  = the most a body may have, halved by each page that came of its host
 *
 * The pages that are under way before any size is known are then as few as could all be of the largest kind, and twice as
 * many after the first that came. An answer without a body (a redirect, a refusal) says nothing of those that have one:
 * it lets one more be under way, or a host that has no pages would be asked slowly for ever.
 *
 * Weakness: pages that are large only where many small ones have come before are not foreseen.
 */
export interface PageSizes {
  pages: number
  /** Answers that had no page. */
  nones: number
  meanBytes: number
  deviationBytes: number
  couldBeBytes: number
}

/** How much of what is thought of pages the newest one decides. */
const newestShare = 0.25

/** What the deviation is taken to be, as a part of the first size. */
const firstDeviation = 0.5

export const unknownSizes = (mostBytes: number): PageSizes => ({
  pages: 0,
  nones: 0,
  meanBytes: 0,
  deviationBytes: 0,
  couldBeBytes: mostBytes,
})

export const likelyBytes = ({ meanBytes, deviationBytes }: PageSizes): number => meanBytes + deviationBytes

function takeIn(sizes: PageSizes, bodyBytes: number): void {
  const offBytes = bodyBytes - sizes.meanBytes
  if (sizes.pages === 0) {
    sizes.meanBytes = bodyBytes
    sizes.deviationBytes = firstDeviation * bodyBytes
  } else {
    sizes.meanBytes += newestShare * offBytes
    sizes.deviationBytes += newestShare * (Math.abs(offBytes) - sizes.deviationBytes)
  }
  sizes.pages += 1
}

export function learnSize(sizes: PageSizes, bodyBytes: number): void {
  takeIn(sizes, bodyBytes)
  sizes.couldBeBytes /= 2
}

/**
 * The first page of a host says less of other hosts than of its own: after n of them the chance that the next one is as
 * large as may be is taken to be 1 / (n + 1), about what Laplace's rule of succession says.
 */
export function learnFirst(sizes: PageSizes, bodyBytes: number, mostBytes: number): void {
  takeIn(sizes, bodyBytes)
  sizes.couldBeBytes = 1 / (1 / sizes.couldBeBytes + 1 / mostBytes)
}

/** An answer came that has no body: of those that fit into `totalBytes` one more may be under way. */
export function learnNone(sizes: PageSizes, totalBytes: number): void {
  sizes.nones += 1
  sizes.couldBeBytes = 1 / (1 / sizes.couldBeBytes + 1 / totalBytes)
}
