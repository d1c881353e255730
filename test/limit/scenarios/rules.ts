import { createLimiter } from '../../../src/limit/index.ts'
import { failingRegion, limitKept, slowdown, type Trouble, troubles, urls, wasted } from '../../proxy/failing-region.ts'
import { createRandom } from '../../sim/random.ts'
import { createDriver, good, refused } from '../driver.ts'
import { createWorld } from '../simulator.ts'
import {
  atLeast,
  atMost,
  between,
  limitAt,
  mostWithin,
  type Scenario,
  secondsToFull,
  sentBetween,
  wide,
} from './scenario.ts'

const hourMs = 3_600_000

/** Fed straight to the policy, at the highest limit that it may have. */
const oneRoundTrip: Scenario = {
  name: 'L9 thirty refusals of one round trip',
  seeds: 20,
  marks: { cutTo: between(0.8, 0.87), backOff: between(1, 1.1) },
  play(seed, policyOf) {
    const limiter = createLimiter(policyOf(30), createRandom(seed))
    const driver = createDriver(limiter)
    const before = driver.feed(good, 94)
    const startedMs = driver.nowMs + 1
    const nowMs = startedMs + 100
    for (let n = 0; n < 30; n += 1) {
      const { load: _, ...reading } = refused
      limiter.observe({ ...reading, startedMs, nowMs, inFlight: 30 })
    }
    return { cutTo: limiter.limit / before, backOff: Math.max(0, limiter.readyAtMs - nowMs) / 1000 }
  },
}

const region = (name: string, trouble: Trouble): Scenario => ({
  name: `L17 one region of proxies, 15 of 50, fails for 40 s: ${name}`,
  seeds: 20,
  marks: {
    undone: atMost(0.005),
    wasted: atMost(5 * 15 + 0.05 * urls),
    limitKept: atLeast(0.9),
    slowdown: atMost(1.5),
  },
  play(seed, policyOf) {
    const it = failingRegion(trouble, seed, policyOf(64))
    return { undone: 1 - it.done / urls, wasted: wasted(it), limitKept: limitKept(it), slowdown: slowdown(it) }
  },
})

/** A minute, and then half a minute in which the host wants to be left alone: a bucket that went on filling shows after it. */
const rate: Scenario = {
  name: 'L19 ten a second with a burst of 20, and a Retry-After of 30 s after a minute',
  seeds: 20,
  marks: { inAMinute: between(600, 620), mostIn1s: atMost(31), inThePause: atMost(0), mostIn1sAfter: atMost(31) },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 111, rate: { tokensPerSecond: 10, burst: 20 } })
    const server = world.server({ workers: 64, queue: 64, retryAfterMs: 30_000 })
    const client = world.client(server, policyOf(wide))
    world.at(60_000, () => {
      server.isRefusing = true
    })
    world.at(61_000, () => {
      server.isRefusing = false
    })
    world.run()
    return {
      inAMinute: sentBetween(client, 0, 60_000),
      mostIn1s: mostWithin(client.sentAtMs, 1_000, 0, 60_000),
      inThePause: sentBetween(client, 61_000, 90_000),
      mostIn1sAfter: mostWithin(client.sentAtMs, 1_000, 90_000, 110_000),
    }
  },
}

/** A host that asks by a date, and a clock of ours that is set before it says so and once more in the pause. */
const wallClock = (name: string, jumpMs: number): Scenario => ({
  name: `L20 the clock on the wall jumps an hour ${name}, and again in a pause until a date`,
  seeds: 20,
  marks: { inThePause: atMost(0), secondsToFull: atMost(7, 5) },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 111 })
    const server = world.server({})
    const client = world.client(server, policyOf(wide))
    client.wallAheadMs = 0
    world.at(55_000, () => {
      client.wallAheadMs = jumpMs
    })
    world.at(60_000, () => {
      server.isRefusing = true
      server.retryAfterMs = 30_000
    })
    world.at(61_000, () => {
      server.isRefusing = false
      server.retryAfterMs = null
    })
    world.at(75_000, () => {
      client.wallAheadMs = 2 * jumpMs
    })
    world.run()
    return {
      // A date has no milliseconds.
      inThePause: sentBetween(client, 61_000, 89_000),
      secondsToFull: secondsToFull(server, 16, 90, 110),
    }
  },
})

/** Requests that end in every way: well, with an error, refused, in a time-out or cut by us; then none is wanted any more. */
const permits: Scenario = {
  name: 'L22 10,000 requests of which 40 % fail, are refused, time out or are cut',
  seeds: 20,
  marks: {
    sent: atLeast(10_000),
    notGivenBack: between(0, 0),
    overLimit: atMost(0),
    limitAtEnd: atLeast(1),
  },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 40_000, timeoutMs: 1_000 })
    const server = world.server({ errorRatio: 0.1, hangRatio: 0.1, refusedRatio: 0.1, cutRatio: 0.1 })
    const client = world.client(server, policyOf(wide))
    client.left = 6_800
    world.run()
    return {
      sent: client.sentAtMs.length,
      notGivenBack: client.lane.inFlight,
      overLimit: client.mostOverLimit,
      limitAtEnd: limitAt(client, 40_000_000),
    }
  },
}

/** What a policy must keep whatever the server is: bursts, rates, clocks, proxies, permits. */
export const rulesScenarios: readonly Scenario[] = [
  oneRoundTrip,
  ...Object.entries(troubles).map(([name, trouble]) => region(name, trouble)),
  rate,
  wallClock('forth', hourMs),
  wallClock('back', -hourMs),
  permits,
]
