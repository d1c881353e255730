/**
 * The part of a host's answers that were blocks, over the last five minutes: a gauge, where the figure over the whole
 * run would still look well an hour after a host has begun to block everything. A ring of six stretches of 50 s, so
 * that each answer costs one addition; what is read covers five to six of them.
 */
export interface BlockRate {
  readonly answers: Uint32Array
  readonly blocked: Uint32Array
  /** Number of the latest stretch, counted from the origin of the clock. */
  stretch: number
}

export interface BlockRateGauge {
  readonly share: number
  /** Answers that it is taken over. */
  readonly answers: number
  readonly windowMs: number
}

const stretches = 6
const stretchMs = 50_000

export const newBlockRate = (): BlockRate => ({
  answers: new Uint32Array(stretches),
  blocked: new Uint32Array(stretches),
  stretch: 0,
})

/** Empties the stretches that have passed since. */
function turnTo(rate: BlockRate, nowMs: number): number {
  const stretch = Math.floor(nowMs / stretchMs)
  const passed = Math.min(stretches, stretch - rate.stretch)
  for (let n = 0; n < passed; n += 1) {
    const place = (stretch - n) % stretches
    rate.answers[place] = 0
    rate.blocked[place] = 0
  }
  rate.stretch = Math.max(rate.stretch, stretch)
  return rate.stretch % stretches
}

export function noteBlock(rate: BlockRate, nowMs: number, isBlocked: boolean): void {
  const place = turnTo(rate, nowMs)
  rate.answers[place] = (rate.answers[place] ?? 0) + 1
  if (isBlocked) rate.blocked[place] = (rate.blocked[place] ?? 0) + 1
}

/** What was counted then as no block is one: in the stretch of its answer, unless that is forgotten by now. */
export function noteUnmasked(rate: BlockRate, answeredMs: number): void {
  const stretch = Math.floor(answeredMs / stretchMs)
  if (stretch <= rate.stretch - stretches) return
  const place = stretch % stretches
  rate.blocked[place] = (rate.blocked[place] ?? 0) + 1
}

export function readBlockRate(rate: BlockRate, nowMs: number): BlockRateGauge {
  turnTo(rate, nowMs)
  const answers = rate.answers.reduce((sum, count) => sum + count, 0)
  const blocked = rate.blocked.reduce((sum, count) => sum + count, 0)
  return { share: answers === 0 ? 0 : blocked / answers, answers, windowMs: stretches * stretchMs }
}

/** The same by the way that requests took: where one region of proxies is blocked, another may be welcome. */
export interface RouteBlockRates {
  /** Null while every request went directly. */
  byRoute: Map<string, BlockRate> | null
}

export interface RouteBlockRate extends BlockRateGauge {
  readonly route: string
}

const mostRoutes = 64
/** What the reports call requests without a proxy, and those through proxies that came when there were too many. */
const directName = 'direct'
const othersName = 'others'

const nameOf = (route: string): string => (route === '' ? directName : route)

const copyOf = ({ answers, blocked, stretch }: BlockRate): BlockRate => ({
  answers: answers.slice(),
  blocked: blocked.slice(),
  stretch,
})

/** @param ofHost of all answers, this one not counted yet: what came before the first proxy came directly */
export function noteRouteBlock(
  rates: RouteBlockRates,
  ofHost: BlockRate,
  route: string,
  nowMs: number,
  isBlocked: boolean,
): void {
  if (rates.byRoute === null && route === '') return
  rates.byRoute ??= new Map([[directName, copyOf(ofHost)]])
  const { byRoute } = rates
  const wanted = nameOf(route)
  const name = byRoute.has(wanted) || byRoute.size < mostRoutes ? wanted : othersName
  const rate = byRoute.get(name) ?? newBlockRate()
  byRoute.set(name, rate)
  noteBlock(rate, nowMs, isBlocked)
}

/** While there are no routes, the rate of the host is that of all that went directly. */
export function noteRouteUnmasked({ byRoute }: RouteBlockRates, route: string, answeredMs: number): void {
  const rate = byRoute?.get(nameOf(route)) ?? byRoute?.get(othersName)
  if (rate !== undefined) noteUnmasked(rate, answeredMs)
}

/** Of the routes that were used within the window, those with the most answers first. */
export function readRouteBlocks({ byRoute }: RouteBlockRates, ofHost: BlockRate, nowMs: number): RouteBlockRate[] {
  return [...(byRoute ?? new Map([[directName, ofHost]]))]
    .map(([route, rate]) => ({ route, ...readBlockRate(rate, nowMs) }))
    .filter(({ answers }) => answers > 0)
    .sort((left, right) => right.answers - left.answers)
}
