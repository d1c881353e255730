/**
 * How many pages a second a pipeline gives, from what a page costs at each station: operational analysis as in Lazowska,
 * Zahorjan, Graham and Sevcik, Quantitative System Performance (1984), chapters 5 and 6.
 *
 * A page takes one of `slots` and keeps it until it is committed. URLs never run out, so that slots are taken as soon
 * as they are free: a closed network whose customers are the slots. A page goes through
 *
 *     request  -> a thread -> the main thread (all it does for the page) -> the sink -> kept
 *     a delay     `threads`   one server                                    one server  a delay
 *
 * Exact mean value analysis (Reiser and Lavenberg, 1980) over n = 1 .. slots customers: with D the demand of a page at a
 * station and Q(n - 1) what stands there when one customer less is about,
 *
 *     R(n) = D (1 + Q(n - 1))     X(n) = n / (delays + sum of R(n))     Q(n) = X(n) R(n)
 *
 * Several threads are one that is as fast as all of them and a delay for the rest of a page's time (Seidmann, Schweitzer
 * and Shalev-Oren, 1987). Three more things bound X, and hold no slot while they make a page wait, so that they stand
 * beside the network as asymptotic bounds (chapter 5), X <= each of
 *
 *     places / request time       the requests that may be under way
 *     pages / paced time          rates and delays between departures
 *     free cores / CPU of a page  threads beyond the cores only take turns
 *
 * Weaknesses: a request takes as long as before, however many there are, since nobody knows what its host could bear;
 * services are taken to be exponential, which makes the crossing from one bound to the next softer than it is; and the
 * beginning and the end of a run, when there is little to do, are not in it.
 */
export interface Pipeline {
  /** Pages that may be held. */
  readonly slots: number
  /** Requests that may be under way, and how long they take for each page. */
  readonly places: number
  readonly requestMs: number
  readonly threads: number
  readonly parseMs: number
  readonly mainMs: number
  /** What each page keeps the sink busy; and how long it waits for a batch to be full. */
  readonly sinkMs: number
  readonly commitMs: number
  /** Cores that are there for it, and what a page takes of them in all. */
  readonly cores: number
  readonly cpuMs: number
  /** Least time between pages by rates and delays. */
  readonly pacedMs: number
}

/** Beyond that many slots the largest demand alone decides. */
const mostCustomers = 5_000

const perSecond = (ms: number): number => (ms > 0 ? 1_000 / ms : Number.POSITIVE_INFINITY)

function closedNetwork(slots: number, demandsMs: readonly number[], delayMs: number): number {
  const stations = demandsMs.filter(ms => ms > 0)
  const customers = Math.max(1, Math.min(mostCustomers, Math.round(slots)))
  const lengths = stations.map(() => 0)
  let perMs = 0
  for (let n = 1; n <= customers; n += 1) {
    const residencesMs = stations.map((ms, at) => ms * (1 + (lengths[at] ?? 0)))
    const beforeMs = perMs
    perMs = n / (delayMs + residencesMs.reduce((sum, ms) => sum + ms, 0))
    // X(n) is concave and never falls: where one customer more brings nothing, none do.
    if (perMs <= beforeMs) break
    for (const [at, ms] of residencesMs.entries()) lengths[at] = perMs * ms
  }
  return perMs * 1_000
}

/** Pages a second. */
export function throughputOf(pipeline: Pipeline): number {
  const { slots, places, requestMs, threads, parseMs, mainMs, sinkMs, commitMs, cores, cpuMs, pacedMs } = pipeline
  const servers = Math.max(1, threads)
  // Without threads of its own parsing is work of the main thread.
  const stations = threads === 0 ? [mainMs + parseMs, sinkMs] : [parseMs / servers, mainMs, sinkMs]
  const delayMs = requestMs + commitMs + (threads === 0 ? 0 : (parseMs * (servers - 1)) / servers)
  return Math.min(
    closedNetwork(slots, stations, delayMs),
    perSecond(requestMs / Math.max(places, Number.MIN_VALUE)),
    perSecond(pacedMs),
    perSecond(cpuMs / Math.max(cores, Number.MIN_VALUE)),
  )
}
