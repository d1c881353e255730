import { createWorld } from '../simulator.ts'
import {
  answers,
  atLeast,
  atMost,
  limitAt,
  peakLimit,
  refusedRatio,
  type Scenario,
  secondsToFull,
  utilisation,
  wide,
} from './scenario.ts'

/** Servers that become smaller, larger or slower while they are asked. */
export const changingScenarios: readonly Scenario[] = [
  {
    name: 'L5 from 16 workers to 4 and back',
    seeds: 20,
    marks: { limitAfter1s: atMost(24, 20), refused: atMost(0.005), secondsToFull: atMost(4, 2) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 102 })
      const server = world.server({})
      const client = world.client(server, policyOf(wide))
      let firstRefusalMs = Number.POSITIVE_INFINITY
      world.at(40_000, () => {
        server.workers = 4
      })
      world.at(80_000, () => {
        server.workers = 16
      })
      world.run()
      firstRefusalMs = client.refusedAtMs.find(atMs => atMs >= 40_000) ?? firstRefusalMs
      return {
        limitAfter1s: limitAt(client, firstRefusalMs + 1_000),
        refused: refusedRatio([client], 50, 80),
        secondsToFull: secondsToFull(server, 16, 80, 100),
      }
    },
  },
  {
    name: 'L5d from 64 workers to 4 and back',
    seeds: 20,
    marks: { refusedIn3s: atMost(120, 60), refused: atMost(0.01), secondsToFull: atMost(15, 12) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 102 })
      const server = world.server({ workers: 64, queue: 64 })
      const client = world.client(server, policyOf(wide))
      world.at(40_000, () => {
        server.workers = 4
      })
      world.at(80_000, () => {
        server.workers = 64
      })
      world.run()
      return {
        refusedIn3s: client.verdicts.refused.sum(40, 43),
        refused: refusedRatio([client], 43, 80),
        secondsToFull: secondsToFull(server, 64, 80, 100),
      }
    },
  },
  {
    name: 'L5u from 1 worker to 16',
    seeds: 20,
    marks: { refused: atMost(0.04, 0.032), secondsToFull: atMost(15, 9) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 322 })
      const server = world.server({ workers: 1, queue: 1 })
      const client = world.client(server, policyOf(wide))
      world.at(300_000, () => {
        server.workers = 16
        server.queue = 16
      })
      world.run()
      return {
        refused: refusedRatio([client], 30, 300),
        secondsToFull: secondsToFull(server, 16, 300, 320),
      }
    },
  },
  {
    name: 'L6 two minutes of answers six times as slow, a queue without end',
    seeds: 20,
    marks: { peakLimit: atMost(80, 70), timedOut: atMost(0.005), secondsToFull: atMost(7, 1.5) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 142 })
      const server = world.server({ queue: Number.POSITIVE_INFINITY })
      const client = world.client(server, policyOf(wide))
      world.at(10_000, () => {
        server.meanMs = 600
      })
      world.at(130_000, () => {
        server.meanMs = 100
      })
      world.run()
      return {
        peakLimit: peakLimit(client),
        timedOut: client.verdicts.timeout.sum(0, 142) / answers(client, 0, 142),
        secondsToFull: secondsToFull(server, 16, 130, 140),
      }
    },
  },
  {
    name: 'L7 a drift to three times the latency in ten minutes',
    seeds: 20,
    marks: { utilisation: atLeast(0.95, 0.97) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 602 })
      const server = world.server({ queue: Number.POSITIVE_INFINITY })
      world.client(server, policyOf(wide))
      for (let second = 0; second <= 600; second += 1)
        world.at(second * 1000, () => {
          server.meanMs = 100 + second / 3
        })
      world.run()
      return {
        utilisation: utilisation(server, 16, 540, 600),
      }
    },
  },
  {
    name: 'L7c little demand, then six times as slow for good, then full demand',
    seeds: 20,
    marks: { utilisation: atLeast(0.92, 0.96), secondsToFull: atMost(65, 50) },
    play(seed, policyOf) {
      const world = createWorld({ seed, seconds: 242 })
      const server = world.server({ workers: 32, queue: Number.POSITIVE_INFINITY })
      const client = world.client(server, policyOf(wide))
      client.demand = 3
      world.at(20_000, () => {
        server.meanMs = 600
      })
      world.at(60_000, () => {
        client.demand = Number.POSITIVE_INFINITY
        world.admit(client)
      })
      world.run()
      return {
        utilisation: utilisation(server, 32, 120, 240),
        secondsToFull: secondsToFull(server, 32, 60, 240),
      }
    },
  },
]
