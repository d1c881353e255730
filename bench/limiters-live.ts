import { parseArgs } from 'node:util'
import type { JobInput } from '../src/index.ts'
import { figureText, isWithin, markedText, rangeText, tableOf, writeFigures } from './docs-figures.ts'
import { fifty, pagesEach } from './fifty-hosts.ts'
import { assertBounds, type Bound, machine } from './machine.ts'
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
 * two would measure each other: just under ten minutes in all. Names on the command line choose
 * (`node bench/limiters-live.ts L1 L19`); `--docs` writes the figures of all of them into docs/limiters.md.
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
  return [
    { name: 'of capacity used', value: utilisation(seen, 16, from, to), atLeast: 0.93 },
    { name: 'refused, %', value: 100 * refusedRatio(seen, from, to), atMost: 0.6 },
    {
      name: 'median over that of the empty host',
      value: (report.hosts[0]?.latencyMs.p50 ?? 0) / baseMs,
      atMost: 3.3,
    },
    { name: 'mean limit', value: meanLimit(changes, from, to), atLeast: 16, atMost: 34 },
  ]
}

async function smaller(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start()
  const steps = [
    [20, { workers: 4 }],
    [50, { workers: 16 }],
  ] as const
  const { startMs, seen, changes } = await outing(server, endless(server.port), 62, steps)
  const [smallMs, largeMs] = [startMs + 20_000, startMs + 50_000]
  const firstMs = seen.refusedAtMs.find(atMs => atMs >= smallMs) ?? smallMs
  return [
    {
      name: 'limit 1.5 s after the first refusal',
      value: limitAt(changes, firstMs + 1_500, Number.POSITIVE_INFINITY),
      atMost: 24,
    },
    { name: 'refused while small, %', value: 100 * refusedRatio(seen, smallMs + 15_000, largeMs), atMost: 0.5 },
    { name: 'seconds to full again', value: secondsToFull(seen, 16, largeMs), atMost: 6 },
  ]
}

/** Half as fast as the others, with twice the time: 640 answers a second would fill the crawler before the server. */
async function muchSmaller(servers: ModelServers): Promise<Bound[]> {
  const server = await servers.start({ workers: 64, queue: 64, meanMs: 200 })
  const steps = [
    [25, { workers: 4 }],
    [50, { workers: 64 }],
  ] as const
  const { startMs, seen, changes } = await outing(server, endless(server.port), 75, steps)
  const [smallMs, largeMs] = [startMs + 25_000, startMs + 50_000]
  const limit = limitAt(changes, smallMs, 2)
  const held = underWay(seen, smallMs)
  // No more than its 4 workers and its queue can keep, and nothing is refused when it shrinks, whatever the limit is.
  const mustRefuse = held > 4 + 64 + 4
  console.log(`L5d at the step: limit ${limit}, ${held} under way at the server, which keeps 68 of them from now on`)
  return [
    // A server that was not full would not notice that it has become smaller.
    { name: 'of capacity used before', value: utilisation(seen, 64, smallMs - 5_000, smallMs), atLeast: 0.9 },
    { name: 'in service at the step', value: inService(seen, smallMs), atLeast: 50 },
    ...(mustRefuse
      ? [{ name: 'limit 9 s later', value: limitAt(changes, smallMs + 9_000, limit), atMost: 0.9 * limit }]
      : [{ name: 'highest limit while small', value: mostLimit(changes, smallMs, largeMs), atMost: limit + 1 }]),
    { name: 'refusals in 4.5 s', value: between(seen.refusedAtMs, smallMs, smallMs + 4_500), atMost: 120 },
    { name: 'refused later, %', value: 100 * refusedRatio(seen, smallMs + 4_500, largeMs), atMost: 1 },
    { name: 'seconds to full again', value: secondsToFull(seen, 64, largeMs), atMost: 22.5 },
  ]
}

const refusing =
  (retryAfterS: number | null) =>
  async (servers: ModelServers): Promise<Bound[]> => {
    const server = await servers.start()
    const steps = [
      [20, { isRefusing: true, retryAfterS }],
      [50, { isRefusing: false, retryAfterS: null }],
    ] as const
    const { startMs, seen, report } = await outing(server, endless(server.port), 63, steps)
    const [fromMs, toMs] = [startMs + 20_000, startMs + 50_000]
    const later = seen.arrivedAtMs.filter(atMs => atMs >= fromMs + 3_000 && atMs < toMs)
    return [
      { name: 'sent in the first 3 s', value: between(seen.arrivedAtMs, fromMs, fromMs + 3_000), atMost: 60 },
      { name: 'probes', value: later.length, atMost: 12 },
      {
        name: `most in ${retryAfterS ?? 1} s`,
        // A timer may be a millisecond early by the other clock.
        value: mostWithin(later, (retryAfterS ?? 1) * 1_000 - 5),
        atMost: 1,
      },
      // What had waited for a worker when the refusals began was worked at within the first three seconds.
      { name: 'requests beside the first good one', value: besideTheFirst(seen, fromMs + 3_000), atMost: 0 },
      { name: 'seconds to full again', value: secondsToFull(seen, 16, toMs), atMost: 10.5 },
      { name: 'URLs that failed', value: report.ledger.failed, atMost: 0 },
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
  // A timer may be a millisecond early by the other clock.
  const pauseEndMs = refusedMs + 10_000 - 5
  const after = arrivedAtMs.filter(atMs => atMs >= pauseEndMs)
  const [backMs = Number.POSITIVE_INFINITY] = after
  return [
    { name: 'requests in 60 s', value: between(arrivedAtMs, firstMs, firstMs + 60_000), atLeast: 600, atMost: 620 },
    { name: 'most in a second', value: mostWithin(before, 1_000), atMost: 31 },
    // What had left before the refusal was read still arrives.
    { name: 'sent in the pause', value: between(arrivedAtMs, refusedMs + 250, pauseEndMs), atMost: 0 },
    { name: 'most in a second after it', value: mostWithin(after, 1_000), atMost: 31 },
    { name: 'requests in the 5 s after it', value: between(after, backMs, backMs + 5_000), atLeast: 50, atMost: 71 },
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
    { name: 'time of the 49 others, over that without it', value: withDead.doneMs / without.doneMs, atMost: 1.1 },
    { name: 'its part of the permits after 30 s, %', value: 100 * withDead.share, atMost: 5 },
    { name: 'requests that it saw', value: withDead.requests, atMost: 20 },
    { name: 'its URLs without an outcome', value: pagesEach - withDead.ended, atMost: 0 },
    { name: 'its URLs that ended with the reason', value: told, atLeast: pagesEach },
  ]
}

interface Experiment {
  readonly name: string
  readonly play: (servers: ModelServers) => Promise<readonly Bound[]>
}

const experiments: Readonly<Record<string, Experiment>> = {
  L1: { name: '16 workers and a queue of 16', play: steady },
  L5: { name: 'from 16 workers to 4 and back', play: smaller },
  L5d: { name: 'from 64 workers to 4 and back', play: muchSmaller },
  L8: { name: 'half a minute of refusals', play: refusing(null) },
  L8r: { name: 'the same with a Retry-After of 5 s', play: refusing(5) },
  L11: { name: `a dead host among fifty of ${pagesEach} pages each`, play: dead },
  L19: { name: 'ten a second with a burst of 20, and a Retry-After of 10 s after a minute', play: paced },
}

function rowsOf(key: string, bounds: readonly Bound[]): readonly (readonly string[])[] {
  return bounds.map(({ name, value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }, nth) => {
    const range = [atLeast, atMost] as const
    const scenario = nth === 0 ? `${key} ${experiments[key]?.name}` : ''
    return [scenario, name, markedText(figureText(value), isWithin(value, range)), rangeText(range)]
  })
}

function sectionOf(found: ReadonlyMap<string, readonly Bound[]>): string {
  const rows = [...found].flatMap(([key, bounds]) => rowsOf(key, bounds))
  return [
    `One run with Node ${machine.node} on ${machine.cores} cores (${machine.cpu}), which the servers share:`,
    tableOf(['scenario', 'measured', 'figure', 'mark'], rows, 2),
  ].join('\n\n')
}

function chosenOf(names: readonly string[]): readonly string[] {
  const all = Object.keys(experiments)
  const unknown = names.filter(name => !all.includes(name))
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return names.length === 0 ? all : all.filter(name => names.includes(name))
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { docs: { type: 'boolean' } }, allowPositionals: true })
  if (values.docs && positionals.length > 0) throw new Error('--docs writes the figures of all scenarios: name none')
  const found = new Map<string, readonly Bound[]>()
  await using servers = startModelServers()
  for (const key of chosenOf(positionals)) {
    const bounds = (await experiments[key]?.play(servers)) ?? []
    assertBounds(bounds.map(bound => ({ ...bound, name: `${key} ${bound.name}` })))
    found.set(key, bounds)
  }
  if (values.docs) await writeFigures('limiters.md', 'limiters-live.ts', sectionOf(found))
}

await main()
