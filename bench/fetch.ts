import { getEventListeners } from 'node:events'
import { Agent, type Dispatcher } from 'undici'
import { realEnv } from '../src/core/clock.ts'
import { newTask, type Task } from '../src/core/task.ts'
import { createFetcher, type DirectFetcher } from '../src/fetch/create-fetcher.ts'
import { createRequestHeaders } from '../src/fetch/request-headers.ts'
import { defaultTimeouts } from '../src/job/defaults.ts'
import { startChild } from './child.ts'
import { machine } from './machine.ts'

/**
 * What our fetcher costs beside a bare loop over undici's `dispatch`: CPU of this process per page, the two in turn,
 * and the median of the ratios of the rounds. The handler of the bare loop does the least that gives a user a page: it
 * copies the body into one array of the declared length, and counts. Deadlines, headers, outcomes and the bounds of a
 * body are ours alone; what pays for them is that our sockets are read into memory that is used again
 * (`src/fetch/intake.ts`), where undici's own are read into new memory each time.
 */
export interface FetchFigures {
  readonly machine: typeof machine
  readonly bodyBytes: number
  readonly inFlight: number
  readonly rounds: number
  readonly pagesPerRound: number
  readonly bareCpuUs: number
  readonly fetcherCpuUs: number
  readonly ratio: number
  readonly peakInFlight: number
  /** What many hosts leave behind that were asked once. */
  readonly leftBehind: LeftBehind
}

export interface LeftBehind {
  readonly hosts: number
  readonly origins: number
  readonly sockets: number
  readonly listeners: number
}

/** Above this the transport has become a cost of its own. */
const largestRatio = 1.15

const bodyBytes = 100_000
const path = `/bytes/${bodyBytes}`
const inFlight = 64
const pagesPerRound = 1_500
const oneShotHosts = 2_000
/** Of connections kept between requests, and with it of all that is known of hosts. */
const idleConnections = 64

const userAgent = 'millrace-bench/1.0 (+https://millrace.test/)'

/** Those that our fetcher sends: the two are the same on the wire. */
const headers = createRequestHeaders({ userAgent, headers: {} })(taskFor('http://127.0.0.1/'), {
  authorization: null,
  cookie: null,
})

type Get = () => Promise<number>

function bareOn(agent: Agent, origin: string): Get {
  const request: Dispatcher.DispatchOptions = { origin, path, method: 'GET', headers }
  return () =>
    new Promise((resolve, reject) => {
      let body = new Uint8Array(0)
      let bytes = 0
      agent.dispatch(request, {
        onRequestStart() {},
        onResponseStart(_, __, headers) {
          body = new Uint8Array(Number(headers['content-length']))
        },
        onResponseData(_, chunk) {
          body.set(chunk, bytes)
          bytes += chunk.length
        },
        onResponseEnd: () => resolve(body.length),
        onResponseError: (_, error) => reject(error),
      })
    })
}

async function cpuUsPerPage(get: Get): Promise<number> {
  let left = pagesPerRound
  const before = process.cpuUsage()
  const work = async (): Promise<void> => {
    while (left-- > 0) if ((await get()) !== bodyBytes) throw new Error('a page of the wrong size')
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / pagesPerRound
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

async function peakSeenBy(origin: string): Promise<number> {
  const { peak } = (await (await fetch(`${origin}/stats`, { headers: { connection: 'close' } })).json()) as {
    readonly peak: Readonly<Record<string, number>>
  }
  return Math.max(...Object.values(peak))
}

function taskFor(url: string): Task {
  return newTask(url, new URL(url), 'page')
}

async function leftBehindBy(fetcher: DirectFetcher, port: number): Promise<LeftBehind> {
  const { signal } = new AbortController()
  const urls = Array.from({ length: oneShotHosts }, (_, at) => `http://h${at}.localhost:${port}/bytes/100`).values()
  const work = async (): Promise<void> => {
    for (const url of urls) await fetcher.fetch({ task: taskFor(url), route: null, grow: () => {} }, signal)
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  // The last sockets are about to close.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve))
  const { origins, open } = fetcher.stats
  return { hosts: oneShotHosts, origins, sockets: open, listeners: getEventListeners(signal, 'abort').length }
}

/** @throws Error when the ratio is above its bound, or hosts that were asked once leave more than the ceiling */
export async function run(rounds = 21): Promise<FetchFigures> {
  using server = await startChild('page-server.ts')
  const { port } = server.first as { readonly port: number }
  const origin = `http://127.0.0.1:${port}`
  await using fetcher = createFetcher({
    env: realEnv,
    timeouts: defaultTimeouts,
    bodyBytes: 10_000_000,
    userAgent,
    headers: {},
    connections: inFlight,
    idleConnections,
  })
  const agent = new Agent({ connections: inFlight })
  const task = taskFor(`${origin}${path}`)
  const { signal } = new AbortController()
  const ours: Get = async () => {
    const outcome = await fetcher.fetch({ task, route: null, grow: () => {} }, signal)
    return outcome.kind === 'page' ? outcome.page.body.length : -1
  }
  const bare = bareOn(agent, origin)
  await cpuUsPerPage(bare)
  await peakSeenBy(origin)
  await cpuUsPerPage(ours)
  const peakInFlight = await peakSeenBy(origin)

  const bareUs: number[] = []
  const oursUs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first is in turn, too: what is left over is collected in the other's half.
    if (round % 2 === 0) bareUs.push(await cpuUsPerPage(bare))
    oursUs.push(await cpuUsPerPage(ours))
    if (round % 2 === 1) bareUs.push(await cpuUsPerPage(bare))
  }
  await agent.close()
  const leftBehind = await leftBehindBy(fetcher, port)
  const ratio = medianOf(oursUs.map((us, round) => us / (bareUs[round] ?? Number.NaN)))
  const figures: FetchFigures = {
    machine,
    bodyBytes,
    inFlight,
    rounds,
    pagesPerRound,
    bareCpuUs: Math.round(medianOf(bareUs)),
    fetcherCpuUs: Math.round(medianOf(oursUs)),
    ratio: Number(ratio.toFixed(3)),
    peakInFlight,
    leftBehind,
  }
  if (!(figures.ratio <= largestRatio))
    throw new Error(
      `CPU per page is ${figures.ratio} times the bare loop's; bound: ${largestRatio}: ${JSON.stringify(figures)}`,
    )
  if (Math.max(leftBehind.origins, leftBehind.sockets) > idleConnections || leftBehind.listeners > 0)
    throw new Error(`more was left behind than ${idleConnections} of each: ${JSON.stringify(leftBehind)}`)
  if (peakInFlight > inFlight) throw new Error(`the server saw ${peakInFlight} requests at a time; bound: ${inFlight}`)
  return figures
}

if (import.meta.main) {
  const figures = await run()
  console.log(JSON.stringify(figures))
  console.table(figures)
}
