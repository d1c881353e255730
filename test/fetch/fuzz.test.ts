import { expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'
import { answerOf, createRawServer, type RawRequest, type RawServer } from '../servers/raw.ts'
import { createRandom } from '../sim/random.ts'
import { fetcherWith, get, timeouts, wordsOf } from './kit.ts'

/** `npm run test:fuzz:responses` has 100,000 of them; `FUZZ_SEED` repeats a run. */
const rounds = Number(process.env.FUZZ ?? 1_000)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

const atOnce = 50

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n'
const healthy: readonly string[] = [
  answerOf('<p>hello</p>'),
  answerOf('x'.repeat(5_000), ['Content-Type: text/html; charset=utf-8', 'Set-Cookie: a=1', 'Set-Cookie: b=2']),
  `${chunked}5;a=b\r\nhello\r\na\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n`,
  'HTTP/1.0 200 OK\r\nServer: old\r\n\r\n<p>until the end',
  `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answerOf('ok')}`,
  `HTTP/1.1 100 Continue\r\n\r\n${answerOf('ok')}`,
  'HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 5\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  answerOf('gone', ['Connection: close'], '404 Not Found'),
  answerOf('wait', ['Retry-After: 5'], '503 Busy'),
  answerOf('z', ['Content-Encoding: gzip', 'Transfer-Encoding: identity', 'Keep-Alive: timeout=5, max=1']),
]
const splinters = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  ':',
  'HTTP/1.1 ',
  'Content-Length: 99999999999999999999\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  '\xff\xfe',
  ' 050 ',
  '-1',
]

/** Cut, flip, repeat, splice, insert: one to four of them. */
function mutated(random: () => number): string {
  const pick = <T>(from: readonly T[], other: T): T => from[Math.floor(random() * from.length)] ?? other
  let text = pick(healthy, '')
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    const at = Math.floor(random() * (text.length + 1))
    const to = at + Math.floor(random() * 20)
    const mutations: readonly (() => string)[] = [
      () => text.slice(0, at),
      () => `${text.slice(0, at)}${String.fromCharCode(Math.floor(random() * 256))}${text.slice(at + 1)}`,
      () => `${text.slice(0, to)}${text.slice(at)}`,
      () => `${text.slice(0, at)}${text.slice(to)}`,
      () => `${text.slice(0, at)}${pick(splinters, '')}${text.slice(at)}`,
      () => `${text.slice(0, at)}${pick(healthy, '').slice(Math.floor(random() * 60))}`,
    ]
    text = pick(mutations, () => text)()
  }
  return text
}

/** Broken answers, but for `/good`: in two packets, and then open, closed or reset. */
const brokenServer = (random: () => number): Promise<RawServer> =>
  createRawServer({
    forgets: true,
    answer({ path, socket }: RawRequest) {
      if (path === '/good') return answerOf('good')
      const text = mutated(random)
      const cut = Math.floor(random() * text.length)
      socket.write(text.slice(0, cut), 'latin1')
      setImmediate(() => {
        socket.write(text.slice(cut), 'latin1')
        const ending = random()
        if (ending < 0.5) socket.end()
        else if (ending < 0.6) socket.resetAndDestroy()
      })
      return undefined
    },
  })

const limits = { ...timeouts, firstByteMs: 200, idleMs: 200, totalMs: 1_000 }

/** What nobody caught, while it is held. */
function catchAll(): { readonly uncaught: readonly unknown[] } & Disposable {
  const uncaught: unknown[] = []
  const note = (thrown: unknown): void => void uncaught.push(thrown)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  return {
    uncaught,
    [Symbol.dispose]: () => void process.off('uncaughtException', note).off('unhandledRejection', note),
  }
}

/** Megabytes per thousand rounds, by least squares, once the heap has found its size. */
function slopeOf(samples: readonly (readonly [round: number, rssMb: number])[]): number {
  const late = samples.slice(Math.floor(samples.length / 2))
  const mean = (at: 0 | 1): number => late.reduce((sum, sample) => sum + sample[at], 0) / late.length
  const [meanRound, meanMb] = [mean(0), mean(1)]
  const over = late.reduce((sum, [round, mb]) => sum + (round - meanRound) * (mb - meanMb), 0)
  return (1_000 * over) / late.reduce((sum, [round]) => sum + (round - meanRound) ** 2, 0)
}

test(`${rounds} broken answers: each ends as an outcome, none kills the process or outlives its limits (seed ${seed})`, {
  timeout: 30_000 + rounds * 10,
}, async () => {
  const random = createRandom(seed)
  using caught = catchAll()
  await using server = await brokenServer(random)
  await using fetcher = fetcherWith({ connections: atOnce, timeouts: limits })
  const kinds = new Map<string, number>()
  const samples: (readonly [number, number])[] = []
  let left = rounds
  let slowestMs = 0
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const startedAtMs = performance.now()
      const outcome = await get(fetcher, server.url(`/${left}`))
      slowestMs = Math.max(slowestMs, performance.now() - startedAtMs)
      const name = outcome.kind === 'failed' ? outcome.fault.code : outcome.kind
      kinds.set(name, (kinds.get(name) ?? 0) + 1)
      if (left % Math.ceil(rounds / 100) === 0) samples.push([rounds - left, process.memoryUsage.rss() / 2 ** 20])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const slope = slopeOf(samples)
  const figures = `slowest ${Math.round(slowestMs)} ms, memory ${slope.toFixed(2)} MB per 1,000`
  console.log(`fuzz, seed ${seed}:`, Object.fromEntries(kinds), figures)
  expect(caught.uncaught).toEqual([])
  expect(kinds.get('INVARIANT')).toBeUndefined()
  expect(kinds.get('page')).toBeGreaterThan(0)
  expect(slowestMs).toBeLessThan(4_000)
  while (fetcher.stats.open > fetcher.stats.idle) await new Promise(resolve => setImmediate(resolve))
  expect(fetcher.stats.open).toBe(fetcher.stats.idle)
  // Every place on the host is still there to be had, and nothing is kept that grows.
  const good = await Promise.all(Array.from({ length: atOnce }, () => get(fetcher, server.url('/good'))))
  expect(good.map(wordsOf)).toEqual(Array(atOnce).fill('page 200 "good"'))
  if (rounds >= 50_000) expect(slope).toBeLessThan(0.5)
})

test('a run over broken answers ends with every URL accounted for and no permit out', {
  timeout: 30_000 + rounds * 10,
}, async () => {
  using caught = catchAll()
  await using server = await brokenServer(createRandom(seed + 1))
  // A host each: what one of them does wrong makes no other one wait.
  const hosts = Array.from({ length: Math.ceil(rounds / 20) }, (_, at) => `h${at}.localhost`)
  const run = crawl(
    {
      seeds: hosts.map(host => server.url('/', host)),
      item: { title: 'h1' },
      robots: { ignoreFor: hosts },
      limits: { inFlight: atOnce },
      retries: { url: 0, totalWaitMs: 0 },
      timeouts: limits,
    },
    { threads: 0 },
  )
  let results = 0
  for await (const _ of run) results += 1
  expect(caught.uncaught).toEqual([])
  expect(results).toBe(hosts.length)
  expect(run.progress()).toMatchObject({ discovered: hosts.length, ended: hosts.length, pending: 0, inFlight: 0 })
})
