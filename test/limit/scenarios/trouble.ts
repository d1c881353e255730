import { type Client, createWorld, direct, type Route } from '../simulator.ts'
import {
  atLeast,
  atMost,
  between,
  cutTimesMs,
  goodPerSecond,
  meanLimit,
  mostWithin,
  refusedRatio,
  type Scenario,
  secondsToFull,
  sentBetween,
  utilisation,
  wide,
} from './scenario.ts'

const firstGoodMs = ({ answeredAtMs }: Client, fromMs: number): number =>
  answeredAtMs.find(atMs => atMs > fromMs) ?? Number.POSITIVE_INFINITY

/** Every request is refused for a while, from second 60 on. */
const refusing = (name: string, outageS: number, retryAfterMs: number | null, marks: Scenario['marks']): Scenario => ({
  name,
  seeds: 20,
  marks,
  play(seed, policyOf) {
    const endS = 60 + outageS
    const tailS = 12 + outageS / 8
    const world = createWorld({ seed, seconds: endS + tailS + 2 })
    const server = world.server({ retryAfterMs: null })
    const client = world.client(server, policyOf(wide))
    world.at(60_000, () => {
      server.isRefusing = true
      server.retryAfterMs = retryAfterMs
    })
    world.at(endS * 1000, () => {
      server.isRefusing = false
      server.retryAfterMs = null
    })
    world.run()
    const twoMs = client.sentAtMs.find((atMs, index) => atMs > endS * 1000 && (client.inFlightWhenSent[index] ?? 0) > 1)
    return {
      inTheFirst2s: sentBetween(client, 60_000, 62_000),
      probes: sentBetween(client, 62_000, endS * 1000),
      mostIn1s: mostWithin(client.sentAtMs, 1_000, 62_000, endS * 1000),
      mostIn5s: mostWithin(client.sentAtMs, 5_000, 62_000, endS * 1000),
      firstOnRecovery: sentBetween(client, endS * 1000, firstGoodMs(client, endS * 1000)),
      secondsToTwo: (twoMs ?? Number.POSITIVE_INFINITY) / 1000 - endS,
      secondsToFull: secondsToFull(server, 16, endS, endS + tailS),
    }
  },
})

const tarpit = (name: string, queue: number, marks: Scenario['marks']): Scenario => ({
  name,
  seeds: 20,
  marks,
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 51 })
    const server = world.server({ workers: 64, queue, hangRatio: 0.01 })
    const client = world.client(server, policyOf(wide))
    world.run()
    return {
      hung: (client.verdicts.timeout.sum(20, 50) * 5_000) / client.limitMs.sum(20, 50),
      utilisation: utilisation(server, 64, 20, 50),
    }
  },
})

const failing = (name: string, errorRatio: number, marks: Scenario['marks']): Scenario => ({
  name,
  seeds: 20,
  marks,
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 61 })
    const server = world.server({})
    const client = world.client(server, policyOf(wide))
    world.at(30_000, () => {
      server.errorRatio = errorRatio
    })
    world.run()
    const before = sentBetween(client, 20_000, 30_000) / 10
    return {
      firstSecond: sentBetween(client, 30_000, 31_000) / before,
      later: sentBetween(client, 31_000, 60_000) / 29 / before,
      goodOfCapacity: goodPerSecond(client, 35, 60) / 160,
    }
  },
})

const slowToConnect: Route = { name: 'proxy', connectMs: 800, delayMs: 0 }
const slowToAnswer: Route = { name: 'proxy', connectMs: 0, delayMs: 800 }

interface Proxies {
  readonly slow: Route
  readonly max: number
  readonly queue: number
  /** Until then all go directly. */
  readonly fromS: number
}

/** Half of the requests through proxies that are slower by 800 ms, against none of them. */
const slowProxies = (name: string, { slow, max, queue, fromS }: Proxies, marks: Scenario['marks']): Scenario => ({
  name,
  seeds: 20,
  marks,
  play(seed, policyOf) {
    function run(routeOf: Client['routeOf']): Client {
      const world = createWorld({ seed, seconds: fromS + 70 })
      const client = world.client(world.server({ queue }), policyOf(max))
      if (fromS === 0) client.routeOf = routeOf
      world.at(fromS * 1000, () => {
        client.routeOf = routeOf
      })
      world.run()
      return client
    }
    const without = run(() => direct)
    const half = run(random => (random() < 0.5 ? slow : direct))
    const [from, to] = [fromS + 20, fromS + 70]
    return {
      limit: meanLimit(half, from, to) / meanLimit(without, from, to),
      // By Little's law the permits that are only waiting for a proxy are half of the rate times 0.8 s.
      limitAtHost: (meanLimit(half, from, to) - 0.4 * goodPerSecond(half, from, to)) / meanLimit(without, from, to),
      throughput: goodPerSecond(half, from, to) / goodPerSecond(without, from, to),
      refused: refusedRatio([half], from, to),
    }
  },
})

/** Refusals, silence, errors, stalls. */
export const troubleScenarios: readonly Scenario[] = [
  refusing('L8 half a minute of refusals', 30, null, {
    inTheFirst2s: atMost(60),
    probes: atMost(12),
    mostIn1s: atMost(1),
    firstOnRecovery: atMost(1),
    secondsToFull: atMost(7, 5),
    // L21: leaving the floor of 1.
    secondsToTwo: atMost(5),
  }),
  refusing('L8 the same with a Retry-After of 5 s', 30, 5_000, {
    inTheFirst2s: atMost(60),
    mostIn5s: atMost(1),
    firstOnRecovery: atMost(1),
    secondsToFull: atMost(7, 5),
  }),
  tarpit('L10 one answer of a hundred never comes, a queue of 64', 64, {
    hung: atMost(0.35),
    utilisation: atLeast(0.95),
  }),
  tarpit('L10 the same without a queue', 0, { hung: atMost(0.35), utilisation: atLeast(0.8) }),
  failing('L14 every answer is a fast error', 1, { firstSecond: atMost(1), later: atMost(0.05) }),
  failing('L14 three answers of ten are fast errors', 0.3, { goodOfCapacity: atLeast(0.95) }),
  slowProxies(
    'L18 proxies slow to connect',
    { slow: slowToConnect, max: wide, queue: 16, fromS: 0 },
    {
      throughput: atLeast(0.85),
      refused: atMost(0.01),
      limit: atLeast(0.8),
    },
  ),
  slowProxies(
    'L18 proxies slow to connect, bound by max',
    { slow: slowToConnect, max: 32, queue: 16, fromS: 0 },
    { limit: between(0.98, 1.02) },
  ),
  slowProxies(
    'L18 proxies slow to answer',
    { slow: slowToAnswer, max: wide, queue: 16, fromS: 0 },
    {
      throughput: atLeast(0.85),
      refused: atMost(0.01),
      limit: atLeast(0.8),
    },
  ),
  slowProxies(
    'L18 proxies slow to answer, bound by max',
    { slow: slowToAnswer, max: 32, queue: 16, fromS: 0 },
    { limit: between(0.98, 1.02) },
  ),
  slowProxies(
    'L18 proxies slow to answer that come later',
    { slow: slowToAnswer, max: wide, queue: 16, fromS: 30 },
    {
      throughput: atLeast(0.85),
      refused: atMost(0.01),
      limit: atLeast(0.8),
    },
  ),
  slowProxies(
    'L18 proxies slow to answer, a queue without end',
    { slow: slowToAnswer, max: wide, queue: Number.POSITIVE_INFINITY, fromS: 0 },
    {
      throughput: atLeast(0.85),
      limit: atLeast(0.8),
      limitAtHost: between(0.5, 1.5),
    },
  ),
  slowProxies(
    'L18 proxies slow to answer that come later, a queue without end',
    { slow: slowToAnswer, max: wide, queue: Number.POSITIVE_INFINITY, fromS: 30 },
    {
      throughput: atLeast(0.85),
      limit: atLeast(0.8),
      limitAtHost: between(0.5, 1.5),
    },
  ),
  {
    name: 'L20 the event loop is blocked for two seconds',
    seeds: 20,
    marks: { cuts: atMost(1), growth: atMost(0) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 70 })
      const client = world.client(world.server({}), policyOf(wide))
      client.blockFromMs = 60_000
      client.blockUntilMs = 62_000
      world.run()
      const isFresh = (atMs: number, index: number): boolean => atMs - (client.firstByteMs[index] ?? 0) >= 62_000
      const freshMs = client.answeredAtMs.find(isFresh) ?? Number.POSITIVE_INFINITY
      const during = client.changes.filter(({ atMs }) => atMs >= 60_000 && atMs < freshMs)
      return {
        cuts: cutTimesMs(client).filter(atMs => atMs >= 60_000 && atMs < freshMs).length,
        growth: during.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0),
      }
    },
  },
  refusing('L21 leaving the floor after an outage of 5 min', 300, null, {
    secondsToTwo: atMost((300 / 8) * 1.1 + 0.5),
  }),
]
