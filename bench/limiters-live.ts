import type { JobInput } from '../src/index.ts'
import { fifty, pagesEach } from './fifty-hosts.ts'
import { assertBounds, type Bound } from './machine.ts'
import { type ModelServers, startModelServers } from './model-server.ts'
import {
  besideTheFirst,
  between,
  inService,
  limitAt,
  meanLimit,
  mostLimit,
  mostWithin,
  outing,
  refusedRatio,
  secondsToFull,
  underWay,
  urlsOf,
  utilisation,
} from './outing.ts'

/**
 * The whole crawler against model servers over real sockets: L1, L5, L8, L11 and L19 of the simulation with its marks,
 * 5 points softer on utilisation and half as much again on times, for what real clocks cost. One after the other, since
 * two would measure each other: ten minutes in all. Names on the command line choose: `node bench/limiters-live.ts L1 L19`.
 */

const item = { title: 'h1' }
const adaptive = { policy: 'aimd', start: 2, max: 256 } as const
/** Median of an exponential of mean 100 ms. */
const baseMs = 100 * Math.LN2

const endless = (port: number, perHost: object = adaptive, more: object = {}): JobInput => ({
  seeds: urlsOf('127.0.0.1', port, 30_000),
  item,
  limits: { perHost, delayMs: 0, rate: 'none', inFlight: 512, ...more } as NonNullable<JobInput['limits']>,
})

async function steady(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const { startMs, seen, changes, report } = await outing(server, endless(server.port), 60)
  const [from, to] = [startMs + 20_000, startMs + 60_000]
  const limit = meanLimit(changes, from, to)
  return [
    { name: 'L1 of capacity used', value: utilisation(seen, 16, from, to), atLeast: 0.93 },
    { name: 'L1 refused', value: refusedRatio(seen, from, to), atMost: 0.006 },
    {
      name: 'L1 median over that of the empty host',
      value: (report.hosts[0]?.latencyMs.p50 ?? 0) / baseMs,
      atMost: 3.3,
    },
    { name: 'L1 mean limit', value: limit, atLeast: 16 },
    { name: 'L1 mean limit', value: limit, atMost: 34 },
  ]
}

async function smaller(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const steps = [
    [20, { workers: 4 }],
    [60, { workers: 16 }],
  ] as const
  const { startMs, seen, changes } = await outing(server, endless(server.port), 75, steps)
  const [smallMs, largeMs] = [startMs + 20_000, startMs + 60_000]
  const firstMs = seen.refusedAtMs.find(atMs => atMs >= smallMs) ?? smallMs
  return [
    {
      name: 'L5 limit 1.5 s after the first refusal',
      value: limitAt(changes, firstMs + 1_500, Number.POSITIVE_INFINITY),
      atMost: 24,
    },
    { name: 'L5 refused while small', value: refusedRatio(seen, smallMs + 15_000, largeMs), atMost: 0.005 },
    { name: 'L5 seconds to full again', value: secondsToFull(seen, 16, largeMs), atMost: 6 },
  ]
}

/** Half as fast as the others, with twice the time: 640 answers a second would fill the crawler before the server. */
async function muchSmaller(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start({ workers: 64, queue: 64, meanMs: 200 })
  const steps = [
    [25, { workers: 4 }],
    [60, { workers: 64 }],
  ] as const
  const { startMs, seen, changes } = await outing(server, endless(server.port), 100, steps)
  const [smallMs, largeMs] = [startMs + 25_000, startMs + 60_000]
  const limit = limitAt(changes, smallMs, 2)
  const held = underWay(seen, smallMs)
  // No more than its 4 workers and its queue can keep, and nothing is refused when it shrinks, whatever the limit is.
  const mustRefuse = held > 4 + 64 + 4
  console.log(`L5d at the step: limit ${limit}, ${held} under way at the server, which keeps 68 of them from now on`)
  return [
    // A server that was not full would not notice that it has become smaller.
    { name: 'L5d of capacity used before', value: utilisation(seen, 64, smallMs - 5_000, smallMs), atLeast: 0.9 },
    { name: 'L5d in service at the step', value: inService(seen, smallMs), atLeast: 50 },
    ...(mustRefuse
      ? [{ name: 'L5d limit 9 s later', value: limitAt(changes, smallMs + 9_000, limit), atMost: 0.9 * limit }]
      : [{ name: 'L5d highest limit while small', value: mostLimit(changes, smallMs, largeMs), atMost: limit + 1 }]),
    { name: 'L5d refusals in 4.5 s', value: between(seen.refusedAtMs, smallMs, smallMs + 4_500), atMost: 120 },
    { name: 'L5d refused later', value: refusedRatio(seen, smallMs + 4_500, largeMs), atMost: 0.01 },
    { name: 'L5d seconds to full again', value: secondsToFull(seen, 64, largeMs), atMost: 22.5 },
  ]
}

const refusing =
  (retryAfterS: number | null) =>
  async (servers: ModelServers): Promise<Bound[]> => {
    const name = retryAfterS === null ? 'L8' : 'L8 with Retry-After'
    const server = await servers.start()
    const steps = [
      [20, { isRefusing: true, retryAfterS }],
      [50, { isRefusing: false, retryAfterS: null }],
    ] as const
    const { startMs, seen, report } = await outing(server, endless(server.port), 65, steps)
    const [fromMs, toMs] = [startMs + 20_000, startMs + 50_000]
    const later = seen.arrivedAtMs.filter(atMs => atMs >= fromMs + 3_000 && atMs < toMs)
    return [
      { name: `${name} sent in the first 3 s`, value: between(seen.arrivedAtMs, fromMs, fromMs + 3_000), atMost: 60 },
      { name: `${name} probes`, value: later.length, atMost: 12 },
      {
        name: `${name} most in ${retryAfterS ?? 1} s`,
        // A timer may be a millisecond early by the other clock.
        value: mostWithin(later, (retryAfterS ?? 1) * 1_000 - 5),
        atMost: 1,
      },
      // What had waited for a worker when the refusals began was worked at within the first three seconds.
      { name: `${name} requests beside the first good one`, value: besideTheFirst(seen, fromMs + 3_000), atMost: 0 },
      { name: `${name} seconds to full again`, value: secondsToFull(seen, 16, toMs), atMost: 10.5 },
      { name: `${name} URLs that failed`, value: report.ledger.failed, atMost: 0 },
    ]
  }

/** A minute, then one 429 that asks for ten seconds: a bucket that went on filling shows after them. */
async function paced(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start({ workers: 64, queue: 64 })
  const rate = { perSecond: 10, burst: 20 }
  const steps = [[62, { refusesNext: 1, retryAfterS: 10 }]] as const
  const job = endless(server.port, { ...adaptive, start: 50, max: 50 }, { rate })
  const { arrivedAtMs, refusedAtMs } = (await outing(server, job, 80, steps)).seen
  const [firstMs = 0] = arrivedAtMs
  const [refusedMs = Number.POSITIVE_INFINITY] = refusedAtMs
  const before = arrivedAtMs.filter(atMs => atMs <= refusedMs)
  const sent = between(arrivedAtMs, firstMs, firstMs + 60_000)
  // A timer may be a millisecond early by the other clock.
  const pauseEndMs = refusedMs + 10_000 - 5
  const after = arrivedAtMs.filter(atMs => atMs >= pauseEndMs)
  const [backMs = Number.POSITIVE_INFINITY] = after
  return [
    { name: 'L19 requests in 60 s', value: sent, atLeast: 600 },
    { name: 'L19 requests in 60 s', value: sent, atMost: 620 },
    { name: 'L19 most in a second', value: mostWithin(before, 1_000), atMost: 31 },
    // What had left before the refusal was read still arrives.
    { name: 'L19 sent in the pause', value: between(arrivedAtMs, refusedMs + 250, pauseEndMs), atMost: 0 },
    { name: 'L19 most in a second after it', value: mostWithin(after, 1_000), atMost: 31 },
    { name: 'L19 requests in the 5 s after it', value: between(after, backMs, backMs + 5_000), atLeast: 50 },
    { name: 'L19 requests in the 5 s after it', value: between(after, backMs, backMs + 5_000), atMost: 71 },
  ]
}

/** What the crawler says of a URL that was asked for in vain, and of one that was not asked for any more. */
const whyOfTheDead = /no answer within timeouts\.firstByteMs|was given up: the last \d+ requests went wrong/

async function dead(servers: ModelServers): Promise<Bound[]> {
  const without = await fifty(servers, false)
  const withDead = await fifty(servers, true)
  const told = withDead.faults.filter(
    ({ code, message }) => code === 'RESPONSE_TIMEOUT' && whyOfTheDead.test(message),
  ).length
  console.log(`L11 the last URL of the dead host: ${withDead.faults.at(-1)?.message}`)
  return [
    { name: 'L11 time of the 49 others, beside a dead host', value: withDead.doneMs / without.doneMs, atMost: 1.1 },
    { name: 'L11 permits of the dead host after 30 s', value: withDead.share, atMost: 0.05 },
    { name: 'L11 requests that the dead host saw', value: withDead.requests, atMost: 20 },
    { name: 'L11 URLs of the dead host without an outcome', value: pagesEach - withDead.ended, atMost: 0 },
    { name: 'L11 URLs of the dead host that ended with the reason', value: told, atLeast: pagesEach },
  ]
}

const experiments: Readonly<Record<string, (servers: ModelServers) => Promise<Bound[]>>> = {
  L1: steady,
  L5: smaller,
  L5d: muchSmaller,
  L8: refusing(null),
  L8r: refusing(5),
  L11: dead,
  L19: paced,
}

async function main(chosen: readonly string[]): Promise<void> {
  await using servers = startModelServers()
  for (const [name, experiment] of Object.entries(experiments))
    if (chosen.length === 0 || chosen.includes(name)) assertBounds(await experiment(servers))
}

await main(process.argv.slice(2))
