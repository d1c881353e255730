import { createWorld } from '../simulator.ts'
import {
  atLeast,
  atMost,
  between,
  cutTimesMs,
  meanLimit,
  medianFirstByteMs,
  mostWithin,
  peakLimit,
  refusedRatio,
  type Scenario,
  secondsToFull,
  utilisation,
  wide,
} from './scenario.ts'

/** Median of an exponential of mean 100 ms, and the network. */
const baseMs = 100 * Math.LN2 + 10

/** Two minutes of endless demand on one server, the first half minute left out. */
const steady = (
  name: string,
  traits: Parameters<ReturnType<typeof createWorld>['server']>[0],
  marks: Scenario['marks'],
): Scenario => ({
  name,
  seeds: 20,
  marks,
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 122 })
    const server = world.server(traits)
    const client = world.client(server, policyOf(wide))
    world.run()
    return {
      utilisation: utilisation(server, 16, 30, 120),
      refused: refusedRatio([client], 30, 120),
      medianOverBase: medianFirstByteMs(client, 30, 120) / baseMs,
      limit: meanLimit(client, 30, 120),
    }
  },
})

export const steadyScenarios: readonly Scenario[] = [
  steady(
    'L1 16 workers and a queue of 16',
    {},
    {
      utilisation: atLeast(0.98, 0.995),
      refused: atMost(0.006, 0.004),
      medianOverBase: atMost(2.2),
      limit: between(16, 34),
    },
  ),
  steady(
    'L2 16 workers and no queue',
    { queue: 0 },
    {
      utilisation: atLeast(0.84, 0.85),
      refused: atMost(0.01, 0.007),
      limit: between(8, 16),
    },
  ),
  steady(
    'L3 16 workers of fixed service and a queue of 16',
    { law: 'fixed' },
    {
      utilisation: atLeast(0.98, 0.995),
      refused: atMost(0.006, 0.004),
    },
  ),
  {
    name: 'L4 from 2 to 64 workers',
    seeds: 20,
    marks: { secondsToFull: atMost(3, 2.7), overshoot: atMost(1.25, 1.15) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 40 })
      const server = world.server({ workers: 64, queue: 64 })
      const client = world.client(server, policyOf(wide))
      world.run()
      return {
        secondsToFull: secondsToFull(server, 64, 0, 40),
        overshoot: peakLimit(client) / (64 + 64),
      }
    },
  },
  {
    name: 'L6m ten minutes of a queue without end',
    seeds: 20,
    marks: { limit: atMost(80, 60), medianOverBase: atMost(6, 4.5), utilisation: atLeast(0.98) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 602 })
      const server = world.server({ queue: Number.POSITIVE_INFINITY })
      const client = world.client(server, policyOf(wide))
      world.run()
      return {
        limit: meanLimit(client, 590, 600),
        medianOverBase: medianFirstByteMs(client, 540, 600) / baseMs,
        utilisation: utilisation(server, 16, 30, 600),
      }
    },
  },
  {
    name: 'L15 jitter alone: lognormal service, a queue without end',
    seeds: 20,
    marks: { utilisation: atLeast(0.95), limit: atMost(3 * 64), cutsIn5s: atMost(1) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 122 })
      const server = world.server({ workers: 64, queue: Number.POSITIVE_INFINITY, law: 'lognormal' })
      const client = world.client(server, policyOf(wide))
      world.run()
      return {
        utilisation: utilisation(server, 64, 60, 120),
        limit: meanLimit(client, 60, 120),
        cutsIn5s: mostWithin(cutTimesMs(client), 5_000, 0, 120_000),
      }
    },
  },
  {
    name: 'L16 a minute of idling, then full demand',
    seeds: 20,
    marks: { burst: atMost(13), grownUnused: atMost(0) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 100 })
      const client = world.client(world.server({ queue: 64 }), policyOf(wide))
      let limitBefore = 0
      let limitAfter = 0
      client.demand = 10
      world.at(30_000, () => {
        client.demand = 0
      })
      world.at(35_000, () => {
        limitBefore = client.lane.limiter.limit
      })
      world.at(90_000, () => {
        limitAfter = client.lane.limiter.limit
        client.demand = Number.POSITIVE_INFINITY
        world.admit(client)
      })
      world.run()
      const burst = client.inFlightWhenSent.filter((_, index) => client.sentAtMs[index] === 90_000)
      return { burst: Math.max(...burst), grownUnused: limitAfter - limitBefore }
    },
  },
]
