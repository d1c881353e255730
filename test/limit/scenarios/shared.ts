import { type Client, createWorld } from '../simulator.ts'
import { atLeast, atMost, goodPerSecond, jain, refusedRatio, type Scenario, utilisation, wide } from './scenario.ts'

/** Seconds until the shares of the last five seconds are fair, Jain's index 0.9. */
function secondsToFair(clients: readonly Client[], fromS: number, untilS: number): number {
  for (let endS = fromS + 5; endS <= untilS; endS += 0.5)
    if (jain(clients.map(client => goodPerSecond(client, endS - 5, endS))) >= 0.9) return endS - fromS
  return Number.POSITIVE_INFINITY
}

const newcomers = (name: string, queue: number, leastUtilisation: number): Scenario => ({
  name,
  seeds: 20,
  marks: {
    jain: atLeast(0.93, 0.97),
    secondsToFair: atMost(35, 10),
    utilisation: atLeast(leastUtilisation),
    refused: atMost(0.015),
  },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 181 })
    const server = world.server({ workers: 32, queue })
    const clients = [0, 10, 20, 30].map(startS => world.client(server, policyOf(wide), startS * 1000))
    world.run()
    return {
      jain: jain(clients.map(client => goodPerSecond(client, 60, 180))),
      secondsToFair: secondsToFair(clients, 30, 120),
      utilisation: utilisation(server, 32, 60, 180),
      refused: refusedRatio(clients, 60, 180),
    }
  },
})

const hosts = 20
/** Some small and some large. */
const evenly = Array.from({ length: hosts }, (_, index) => Math.round(1 + (63 * index) / (hosts - 1)))
/** Most of them small. */
const doubling = Array.from({ length: hosts }, (_, index) => Math.round(64 ** (index / (hosts - 1))))

/** What each gets when all get the same, and nobody more than it needs. */
function maxMinShares(needs: readonly number[], total: number): readonly number[] {
  let left = total
  const shares = needs.map(() => 0)
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need)
  for (const [place, { need, index }] of order.entries()) {
    shares[index] = Math.min(need, left / (needs.length - place))
    left -= shares[index] ?? 0
  }
  return shares
}

/** Twenty hosts of 1 to 64 workers, their queues as long, asked by one process. */
const manyHosts = (name: string, sizes: readonly number[], cap: number | undefined, leastShare: number): Scenario => ({
  name,
  seeds: 5,
  marks: { worstShare: atLeast(leastShare), refused: atMost(0.01), refusedAtWorst: atMost(0.04) },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 46, ...(cap !== undefined && { cap }) })
    const clients = sizes.map(workers => world.client(world.server({ workers, queue: workers }), policyOf(wide)))
    world.run()
    // A worker is kept busy by 1.1 permits: 100 ms in service, 10 ms on the network.
    const needs = sizes.map(workers => workers * 1.1)
    const shares = maxMinShares(needs, cap ?? Number.POSITIVE_INFINITY)
    const parts = clients.map(({ server }, index) => utilisation(server, (shares[index] ?? 0) / 1.1, 15, 45))
    return {
      worstShare: Math.min(...parts),
      refused: refusedRatio(clients, 15, 45),
      refusedAtWorst: Math.max(...clients.map(client => refusedRatio([client], 15, 45))),
    }
  },
})

/** Several clients of one server, and several servers of one client. */
export const sharedScenarios: readonly Scenario[] = [
  newcomers('L12 four processes on one server, a queue as long as it has workers', 32, 0.98),
  newcomers('L12 the same without a queue', 0, 0.88),
  manyHosts('L13 twenty hosts without a cap', doubling, undefined, 0.95),
  manyHosts('L13 twenty hosts under a cap of 256', evenly, 256, 0.78),
  // Where most hosts are small, their queues hold permits that a share by need does not count: the large ones get less.
  manyHosts('L13 twenty hosts, most of them small, under a cap of 256', doubling, 256, 0.6),
]
