import {
  type Baseline,
  forgetMean,
  hasMean,
  isKnown,
  latencyRatio,
  learnLatency,
  lnMs,
  memoryOf,
  newBaseline,
  relearnBaseline,
  relearnRatio,
} from './baseline.ts'

/**
 * How much slower a host answers than when it had nothing to do, whichever way the answers came. A proxy adds a time of
 * its own to the first byte: half of the requests through one that is slower by 800 ms look like a host in trouble when
 * they begin, and hide one that is when they are the most. So each route has its baseline, and the routes vote:
 *
 *     F_i, B_i   mean and baseline of route i (baseline.ts), of ln ms
 *     x_i        exp F_i - exp B_i: how much longer answers take on this route than they did, in ms. What the host adds
 *                by its queue it adds to every route alike, as a time and not as a factor
 *     r          1 + median of x_i / exp(least B_i): the median by how much each route was used of late, the lower one
 *                of two halves. A proxy that becomes slow by itself does not make a slow host
 *
 * Routes with fewer than 64 answers, or 16 since an outage, do not vote; while those that may carry less than a quarter
 * of the traffic, r is that of all answers together. A route that is met while the host has a queue does not take the
 * queue for its own: B_i is F_i less the median of the others.
 *
 * With one route this is baseline.ts and nothing else. Of more than 16 the later ones share one record.
 */
export interface Routes {
  readonly all: Baseline
  /** The one route there was so far. */
  only: string | null
  /** Null while there is but one. The routes that came too late to have a record are those of null. */
  byName: Map<string | null, Route> | null
  /** Of the look at the host with little load. */
  readonly look: Look
}

interface Route {
  readonly baseline: Baseline
  /** Part of the traffic of late. */
  share: number
  readonly look: Look
}

/** Answers while little was in flight, and what was usual before. */
interface Look {
  loadedLn: number
  answers: number
  sumLn: number
}

const mostRoutes = 16
const leastVote = 0.25
/** A route that carries a quarter of the traffic or less remembers less, so that it is as old as four of the whole. */
const slowestPart = 4
const fewestRemembered = 16
/** Of the route's own answers: fewer say less than what the other routes learnt. */
const answersToRelearn = 8

const newLook = (): Look => ({ loadedLn: 0, answers: 0, sumLn: 0 })

export const newRoutes = (): Routes => ({ all: newBaseline(), only: null, byName: null, look: newLook() })

/** A second route has come: what was learnt so far is of the first. */
function split({ all, only }: Routes): Map<string | null, Route> {
  return new Map([[only, { baseline: { ...all }, share: 1, look: newLook() }]])
}

function recordOf(byName: Map<string | null, Route>, name: string): Route {
  const key = byName.has(name) || byName.size < mostRoutes ? name : null
  const known = byName.get(key)
  if (known !== undefined) return known
  const route: Route = { baseline: newBaseline(), share: 0, look: newLook() }
  byName.set(key, route)
  return route
}

/** The lower median of `readingOf` over the routes that may vote, by their share; null: too few may. */
function vote(byName: Map<string | null, Route>, readingOf: (route: Route) => number): number | null {
  const votes: { readonly value: number; readonly share: number }[] = []
  let total = 0
  for (const route of byName.values()) {
    if (!isKnown(route.baseline) || !hasMean(route.baseline)) continue
    votes.push({ value: readingOf(route), share: route.share })
    total += route.share
  }
  if (total < leastVote) return null
  votes.sort((left, right) => left.value - right.value)
  let below = 0
  for (const { value, share } of votes) {
    below += share
    if (below >= total / 2) return value
  }
  return null
}

const excessMs = ({ baseline }: Route): number => Math.exp(baseline.meanLn) - Math.exp(baseline.baseLn)
const loadedExcessMs = ({ baseline, look }: Route): number => Math.exp(look.loadedLn) - Math.exp(baseline.baseLn)

/** What a request takes on the fastest route to the host when it has nothing to do. */
function unloadedMs(byName: Map<string | null, Route>): number {
  let leastLn = Number.POSITIVE_INFINITY
  for (const { baseline } of byName.values()) if (isKnown(baseline)) leastLn = Math.min(leastLn, baseline.baseLn)
  return Math.exp(leastLn)
}

export function learnRoute(routes: Routes, name: string, firstByteMs: number, limit: number): void {
  routes.only ??= name
  if (routes.byName === null && name !== routes.only) routes.byName = split(routes)
  const memory = memoryOf(limit)
  learnLatency(routes.all, firstByteMs, memory)
  if (routes.byName === null) return
  const { byName } = routes
  const route = recordOf(byName, name)
  for (const other of byName.values()) other.share += ((other === route ? 1 : 0) - other.share) / memory
  const { baseline } = route
  // While it is being learnt, since afterwards it votes itself.
  const queueMs = isKnown(baseline) ? 0 : (vote(byName, excessMs) ?? 0)
  const part = Math.min(1, slowestPart * route.share)
  learnLatency(baseline, firstByteMs, Math.max(fewestRemembered, part * memory))
  if (queueMs > 0) baseline.baseLn = lnMs(Math.exp(baseline.meanLn) - queueMs)
}

/** r. */
export function routesRatio({ all, byName }: Routes): number {
  const queueMs = byName === null ? null : vote(byName, excessMs)
  if (byName === null || queueMs === null) return latencyRatio(all)
  return Math.max(0, 1 + queueMs / unloadedMs(byName))
}

/** After an outage: baselines stay, means are of another time. */
export function forgetRoutes({ all, byName }: Routes): void {
  forgetMean(all)
  for (const { baseline } of byName?.values() ?? []) forgetMean(baseline)
}

function beginOf(look: Look, { meanLn }: Baseline): void {
  look.loadedLn = meanLn
  look.answers = 0
  look.sumLn = 0
}

function noteIn(look: Look, ln: number): void {
  look.answers += 1
  look.sumLn += ln
}

/** A look at the host with little load begins. */
export function beginLook({ all, byName, look }: Routes): void {
  beginOf(look, all)
  for (const route of byName?.values() ?? []) beginOf(route.look, route.baseline)
}

/** An answer to a request that was granted under little load; how many there are now. */
export function noteLook({ byName, look }: Routes, name: string, firstByteMs: number): number {
  const ln = lnMs(firstByteMs)
  noteIn(look, ln)
  if (byName !== null) noteIn(recordOf(byName, name).look, ln)
  return look.answers
}

/** Routes that were heard often learn from what they said; the others by as many ms, weighted by answers. */
function relearnEach(byName: Map<string | null, Route>): void {
  const routes = [...byName.values()].filter(({ baseline }) => isKnown(baseline))
  const heard = routes.filter(({ look }) => look.answers >= answersToRelearn)
  const told = heard.length > 0 ? heard : routes.filter(({ look }) => look.answers > 0)
  let shiftMs = 0
  let answers = 0
  for (const { baseline, look } of told) {
    const saidLn = look.sumLn / look.answers
    const beforeMs = Math.exp(baseline.baseLn)
    if (heard.length > 0) relearnBaseline(baseline, saidLn)
    const afterMs =
      heard.length > 0 ? Math.exp(baseline.baseLn) : beforeMs + relearnRatio * (Math.exp(saidLn) - beforeMs)
    shiftMs += look.answers * (afterMs - beforeMs)
    answers += look.answers
  }
  if (answers === 0) return
  for (const route of routes)
    if (!heard.includes(route)) route.baseline.baseLn = lnMs(Math.exp(route.baseline.baseLn) + shiftMs / answers)
}

/**
 * The look is over, and what it saw counts as unloaded from now on. Returns how many times as long answers took before it:
 * the ratio r that was, by what is known now.
 */
export function endLook({ all, byName, look }: Routes): number {
  relearnBaseline(all, look.sumLn / look.answers)
  const ofAll = Math.exp(look.loadedLn - all.baseLn)
  if (byName === null) return ofAll
  relearnEach(byName)
  const queueMs = vote(byName, loadedExcessMs)
  return queueMs === null ? ofAll : 1 + Math.max(0, queueMs) / unloadedMs(byName)
}
