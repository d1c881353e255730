import { type Client, createWorld } from '../simulator.ts'
import {
  atLeast,
  atMost,
  between,
  goodPerSecond,
  jain,
  refusedRatio,
  type Scenario,
  utilisation,
  wide,
} from './scenario.ts'

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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 1 : sum(values) / values.length)

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

/**
 * Twenty hosts of 1 to 64 workers, their queues as long, asked by one process. `worstShare` is the least that a host has of
 * its fair share by need, what keeps its workers busy and no queue; `largeShare` what those have on average that cannot
 * have all they need; `busy` how much work all of them get done, of what so many places could.
 */
const manyHosts = (
  name: string,
  sizes: readonly number[],
  cap: number | undefined,
  marks: Scenario['marks'],
): Scenario => ({
  name,
  seeds: 20,
  marks: { ...marks, refused: atMost(0.01), refusedAtWorst: atMost(0.04) },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 31, ...(cap !== undefined && { cap }) })
    const clients = sizes.map(workers => world.client(world.server({ workers, queue: workers }), policyOf(wide)))
    world.run()
    // A worker is kept busy by 1.1 permits: 100 ms in service, 10 ms on the network.
    const needs = sizes.map(workers => workers * 1.1)
    const shares = maxMinShares(needs, cap ?? Number.POSITIVE_INFINITY)
    const parts = clients.map(({ server }, index) => utilisation(server, (shares[index] ?? 0) / 1.1, 15, 30))
    return {
      worstShare: Math.min(...parts),
      largeShare: mean(parts.filter((_, index) => (shares[index] ?? 0) < (needs[index] ?? 0))),
      busy: sum(clients.map(({ server }) => server.busyMs.sum(15, 30) / 15_000)) / (sum(shares) / 1.1),
      refused: refusedRatio(clients, 15, 30),
      refusedAtWorst: Math.max(...clients.map(client => refusedRatio([client], 15, 30))),
    }
  },
})

/**
 * One host of fifty accepts everything from the fifth second on and answers nothing: how long the others take for their
 * 500 pages beside it, over how long without it, and what part of the permits it has after half a minute.
 */
const deadHost: Scenario = {
  name: 'L11 a dead host among fifty of 500 pages each',
  seeds: 20,
  marks: { time: atMost(1.1, 1.05), share: atMost(0.05, 0.02), pages: between(49 * 500, 49 * 500) },
  play(seed, policyOf) {
    function run(isDead: boolean) {
      const world = createWorld({ seed, seconds: 70, cap: 256 })
      const servers = Array.from({ length: 50 }, () => world.server({ workers: 4, queue: 4, meanMs: 300 }))
      const clients = servers.map(server => world.client(server, policyOf(wide)))
      for (const client of clients) client.left = 500
      const [dead] = servers
      world.at(5_000, () => {
        if (dead !== undefined && isDead) dead.hangRatio = 1
      })
      world.run()
      const [first, ...others] = clients
      const endMs = Math.max(...others.map(({ answeredAtMs }) => answeredAtMs[499] ?? Number.POSITIVE_INFINITY))
      const heldMs = (client: Client | undefined) => client?.permitMs.sum(30, Math.min(70, endMs / 1000)) ?? 0
      const share = heldMs(first) / clients.reduce((sum, client) => sum + heldMs(client), 0)
      return { endMs, share, pages: others.reduce((sum, { answeredAtMs }) => sum + answeredAtMs.length, 0) }
    }
    const beside = run(true)
    return { time: beside.endMs / run(false).endMs, share: beside.share, pages: beside.pages }
  },
}

/** A host that lets one answer of a hundred hang, and two that do not, by one process whose places are few. */
const tarpitAmongOthers: Scenario = {
  name: 'L10 two other hosts beside it, under a cap of 160',
  seeds: 20,
  marks: { others: atLeast(0.95), hung: atMost(0.35) },
  play(seed, policyOf) {
    const world = createWorld({ seed, seconds: 41, cap: 160 })
    const tarpit = world.client(world.server({ workers: 64, queue: 64, hangRatio: 0.01 }), policyOf(wide))
    const others = [0, 1].map(() => world.server({ workers: 8, queue: 8 }))
    for (const server of others) world.client(server, policyOf(wide))
    world.run()
    return {
      others: Math.min(...others.map(server => utilisation(server, 8, 20, 40))),
      hung: (tarpit.verdicts.timeout.sum(20, 40) * 5_000) / tarpit.permitMs.sum(20, 40),
    }
  },
}

/** Several clients of one server, and several servers of one client. */
export const sharedScenarios: readonly Scenario[] = [
  newcomers('L12 four processes on one server, a queue as long as it has workers', 32, 0.98),
  newcomers('L12 the same without a queue', 0, 0.88),
  deadHost,
  tarpitAmongOthers,
  manyHosts('L13 twenty hosts without a cap', doubling, undefined, { worstShare: atLeast(0.95) }),
  manyHosts('L13 twenty hosts under a cap of 256', evenly, 256, {
    worstShare: atLeast(0.9, 0.93),
    largeShare: atLeast(0.975, 0.985),
    busy: atLeast(0.975, 0.983),
  }),
  // Most hosts are small, and have a queue of ours before their latency without one is known.
  manyHosts('L13 twenty hosts, most of them small, under a cap of 256', doubling, 256, {
    worstShare: atLeast(0.88, 0.915),
    largeShare: atLeast(0.9, 0.935),
    busy: atLeast(0.93, 0.945),
  }),
]
