import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Env } from '../../src/core/clock.ts'
import { type ErrorCode, faultOf } from '../../src/core/errors.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createRobots } from '../../src/robots/create-robots.ts'
import type { Robots } from '../../src/robots/robots.ts'

const timing = { connectMs: 0, firstByteMs: 1, totalMs: 1 }
const day = 86_400_000

const taskOf = (url: string): Task => newTask(url, new URL(url), 'page')

const answered = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Outcome => ({
  kind: 'page',
  page: {
    task: taskOf('https://a.test/robots.txt'),
    status: 200,
    headers,
    body: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    timing,
    reach: 'public',
  },
})
const gone: Outcome = { kind: 'gone', status: 404, timing }
const moved = (url: string): Outcome => ({ kind: 'moved', status: 301, url, reach: 'public', timing })
const throttled = (retryAfterMs: number | null): Outcome => ({ kind: 'throttled', status: 429, retryAfterMs, timing })
const failed = (code: ErrorCode): Outcome => ({
  kind: 'failed',
  fault: faultOf(code, 'it failed'),
  status: null,
  timing: null,
  retryAfterMs: null,
})
const closed = 'User-agent: *\nDisallow: /private\n'

/** The best quality takes seconds. */
const brotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

interface Bench {
  readonly robots: Robots
  nowMs: number
  /** Asks for the file of a page and answers until the origin is judged; the tasks that were asked. */
  ask(url: string, ...outcomes: readonly Outcome[]): readonly Task[]
  judge(url: string): string
}

interface BenchOptions {
  readonly ignoreFor?: readonly string[]
  readonly maxOrigins?: number
  readonly userAgent?: string
  readonly totalWaitMs?: number
}

function bench(options: BenchOptions = {}): Bench {
  const self: Bench = {
    nowMs: 1_000,
    robots: createRobots({
      env: { clock: { nowMs: () => self.nowMs }, random: () => 0.5 } as unknown as Env,
      userAgent: 'ExampleBot/1.0',
      ignoreFor: [],
      totalWaitMs: 600_000,
      ...options,
    }),
    ask(url, ...outcomes) {
      const tasks: Task[] = [self.robots.taskFor(taskOf(url))]
      for (const outcome of outcomes) {
        const last = tasks.at(-1)
        if (last === undefined) break
        const next = self.robots.learn(last, outcome, self.nowMs)
        if (next !== null) tasks.push(next)
      }
      return tasks
    },
    judge: url => self.robots.judge(taskOf(url)),
  }
  return self
}

const isReady = ({ robots }: Bench, host: string): boolean => robots.readyAtMs(host as HostKey) === 0

describe('the first page of an origin', () => {
  test('is unknown, and its robots file is asked for in its stead', () => {
    const { robots, judge } = bench()
    expect(judge('https://user:secret@a.test/private/x?y')).toBe('unknown')
    const task = robots.taskFor(taskOf('https://user:secret@a.test/private/x?y'))
    expect(task).toMatchObject({ url: 'https://a.test/robots.txt', host: 'a.test', page: 'robots.txt', depth: 0 })
    expect(robots.isRobotsTask(task)).toBe(true)
    expect(robots.isRobotsTask(taskOf('https://a.test/robots.txt'))).toBe(false)
    expect(robots.judge(task)).toBe('allowed')
  })

  test('closes its host until the file has come', () => {
    const here = bench()
    const task = here.robots.taskFor(taskOf('https://a.test/'))
    expect(here.robots.readyAtMs('a.test' as HostKey)).toBe(Number.POSITIVE_INFINITY)
    expect(isReady(here, 'b.test')).toBe(true)
    expect(() => here.robots.taskFor(taskOf('https://a.test/x'))).toThrowError(
      expect.objectContaining({ code: 'INVARIANT' }),
    )
    expect(here.robots.learn(task, answered(closed), 0)).toBeNull()
    expect(isReady(here, 'a.test')).toBe(true)
  })

  test('is asked for at each origin: another scheme or port has a file of its own', () => {
    const here = bench()
    here.ask('https://a.test/', answered(closed))
    expect(here.judge('https://a.test/private')).toBe('refused')
    expect(here.judge('http://a.test/private')).toBe('unknown')
    expect(here.judge('https://a.test:8443/private')).toBe('unknown')
    expect(here.judge('https://b.test/private')).toBe('unknown')
    expect(here.judge('https://a.test./private')).toBe('refused')
  })
})

describe('an answer', () => {
  test('is read for our own name', () => {
    const here = bench({ userAgent: 'Mozilla/5.0 (compatible; ExampleBot/1.0)' })
    here.ask('https://a.test/', answered('User-agent: examplebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /'))
    expect(here.judge('https://a.test/y')).toBe('allowed')
    expect(here.judge('https://a.test/x')).toBe('refused')
    expect(here.robots.faultOf(taskOf('https://a.test/x'))).toBeNull()
  })

  test('is decoded first', () => {
    const here = bench()
    here.ask('https://a.test/', answered(new Uint8Array(gzipSync(closed)), { 'content-encoding': 'gzip' }))
    expect(here.judge('https://a.test/private')).toBe('refused')
  })

  test('beyond 500 KiB is read up to there, in whole lines', () => {
    const filler = '# nothing\n'.repeat(51_199)
    const here = bench()
    // The bound lies behind the slash of the last rule.
    const head = `User-agent: *\nDisallow: /x\n${filler}`.padEnd(500 * 1024 - '\nDisallow: /'.length, '#')
    here.ask('https://a.test/', answered(`${head}\nDisallow: /private\nDisallow: /late`))
    expect(here.judge('https://a.test/x')).toBe('refused')
    expect(here.judge('https://a.test/y')).toBe('allowed')
    expect(here.judge('https://a.test/late')).toBe('allowed')
    here.ask('https://b.test/', answered(`${closed}${filler}${filler}${filler}${filler}${filler}`))
    expect(here.judge('https://b.test/private')).toBe('refused')
  })

  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotli],
    ['zstd', zstdCompressSync],
  ] as const)
    test(`beyond 500 KiB under ${coding} is read up to there, too, cut or not`, () => {
      const filler = Array.from({ length: 200_000 }, (_, at) => `Disallow: /no/${(at * 7_919) % 1_000_003}`).join('\n')
      const packed = new Uint8Array(pack(`${closed}${filler}`))
      for (const body of [packed, packed.slice(0, 500 * 1024 + 1)]) {
        const here = bench()
        here.ask('https://a.test/', answered(body, { 'content-encoding': coding }))
        expect(here.judge('https://a.test/private')).toBe('refused')
        expect(here.judge('https://a.test/y')).toBe('allowed')
      }
    })

  test('that is short and ends before its coding does closes the origin: rules may be missing', () => {
    const here = bench()
    here.ask(
      'https://a.test/',
      answered(new Uint8Array(gzipSync(closed)).slice(0, -12), { 'content-encoding': 'gzip' }),
    )
    expect(here.robots.faultOf(taskOf('https://a.test/'))?.code).toBe('DECODE_FAILED')
  })

  test('that cannot be decoded closes the origin', () => {
    const here = bench()
    expect(here.ask('https://a.test/', answered('no gzip', { 'content-encoding': 'gzip, nonsense' }))).toHaveLength(1)
    expect(here.judge('https://a.test/')).toBe('refused')
    const fault = here.robots.faultOf(taskOf('https://a.test/'))
    expect(fault?.code).toBe('DECODE_FAILED')
    expect(fault?.message).toMatch(/^https:\/\/a\.test\/robots\.txt: /)
  })

  test.each([
    ['a 4xx', gone],
    ['a redirect to nowhere', failed('REDIRECT_INVALID')],
    ['a page of the site', answered('<!doctype html><title>Home</title>')],
    ['nothing', answered('')],
  ])('of %s allows everything', (_name, outcome) => {
    const here = bench()
    here.ask('https://a.test/', outcome)
    expect(here.judge('https://a.test/private')).toBe('allowed')
    expect(here.robots.crawlDelayMs('a.test' as HostKey)).toBeNull()
  })

  test('holds for 24 hours', () => {
    const here = bench()
    here.ask('https://a.test/', answered(closed))
    here.nowMs += day - 1
    expect(here.judge('https://a.test/private')).toBe('refused')
    here.nowMs += 1
    expect(here.judge('https://a.test/private')).toBe('unknown')
    here.ask('https://a.test/', gone)
    expect(here.judge('https://a.test/private')).toBe('allowed')
  })
})

describe('a redirect', () => {
  test('is followed to another host, whose file then speaks for the first', () => {
    const here = bench()
    const [, next] = here.ask('http://a.test/', moved('https://www.a.test/robots.txt'))
    expect(next).toMatchObject({ url: 'https://www.a.test/robots.txt', host: 'www.a.test', page: 'robots.txt' })
    expect([isReady(here, 'a.test'), isReady(here, 'www.a.test')]).toEqual([false, true])
    if (next !== undefined) here.robots.learn(next, answered(closed), here.nowMs)
    expect(here.judge('http://a.test/private')).toBe('refused')
    expect(here.judge('https://www.a.test/private')).toBe('unknown')
    expect(isReady(here, 'a.test')).toBe(true)
  })

  test('is followed five times; a sixth means that there is no file', () => {
    const hop = moved('https://a.test/robots.txt')
    const five = bench()
    expect(five.ask('https://a.test/', hop, hop, hop, hop, hop, answered(closed))).toHaveLength(6)
    expect(five.judge('https://a.test/private')).toBe('refused')
    const six = bench()
    expect(six.ask('https://a.test/', hop, hop, hop, hop, hop, hop)).toHaveLength(6)
    expect(six.judge('https://a.test/private')).toBe('allowed')
    expect(isReady(six, 'a.test')).toBe(true)
  })
})

describe('an origin whose file cannot be had', () => {
  test.each(['SERVER_ERROR', 'CONNECT_FAILED', 'RESPONSE_TIMEOUT', 'DNS_FAILED', 'PROXY_FAILED'] as const)(
    'for %s is asked three times, later each time, and then closed',
    code => {
      const here = bench()
      const tasks = here.ask('https://a.test/', failed(code), failed(code), failed(code))
      expect(tasks).toHaveLength(3)
      expect(tasks.map(({ attempts }) => attempts.url)).toEqual([0, 1, 2])
      for (const { notBeforeMs } of tasks.slice(1)) expect(notBeforeMs).toBeGreaterThanOrEqual(here.nowMs + 2_000)
      expect(here.judge('https://a.test/')).toBe('refused')
      expect(here.robots.faultOf(taskOf('https://a.test/'))?.code).toBe(code)
      expect(isReady(here, 'a.test')).toBe(true)
    },
  )

  test('is asked again after a while for what turns up then', () => {
    const here = bench()
    here.ask('https://a.test/', failed('SERVER_ERROR'), failed('SERVER_ERROR'), failed('SERVER_ERROR'))
    here.nowMs += 600_000
    expect(here.judge('https://a.test/')).toBe('unknown')
    here.ask('https://a.test/', answered(closed))
    expect(here.judge('https://a.test/')).toBe('allowed')
  })

  test('keeps the rules it had', () => {
    const here = bench()
    here.ask('https://a.test/', answered(closed))
    here.nowMs += day
    here.ask('https://a.test/', failed('SERVER_ERROR'), failed('SERVER_ERROR'), failed('SERVER_ERROR'))
    expect([here.judge('https://a.test/'), here.judge('https://a.test/private')]).toEqual(['allowed', 'refused'])
    here.nowMs += 600_000
    expect(here.judge('https://a.test/')).toBe('unknown')
  })

  test.each([
    ['a 429', throttled(60_000)],
    ['a 500 that says for how long', { ...failed('SERVER_ERROR'), status: 500, retryAfterMs: 60_000 } as Outcome],
  ])('by %s is waited for, as long as a page of it may wait in all, and no try is counted', (_name, outcome) => {
    const here = bench()
    const tasks = here.ask('https://a.test/', ...Array.from({ length: 11 }, () => outcome))
    expect(tasks).toHaveLength(11)
    expect(tasks.map(({ attempts }) => attempts)).toEqual(tasks.map((_, waits) => ({ url: 0, proxy: 0, waits })))
    for (const { notBeforeMs } of tasks.slice(1)) expect(notBeforeMs).toBe(here.nowMs + 60_000)
    expect(here.judge('https://a.test/')).toBe('refused')
    const { code, message = '' } = here.robots.faultOf(taskOf('https://a.test/')) ?? {}
    expect(code).toBe('THROTTLED')
    expect(message).toMatch(/^https:\/\/a\.test\/robots\.txt: /)
  })

  test('by a 503 that does not say for how long is asked ever more seldom', () => {
    const here = bench()
    const tasks = here.ask('https://a.test/', ...Array.from({ length: 100 }, () => throttled(null)))
    const waits = tasks.slice(1).map(({ notBeforeMs }) => notBeforeMs - here.nowMs)
    expect(waits.every((waitMs, nth) => waitMs >= 1_000 && waitMs >= (waits[nth - 1] ?? 0))).toBe(true)
    expect(waits.at(-1)).toBeGreaterThan(20_000)
    expect(tasks.length).toBeLessThan(40)
    expect(here.judge('https://a.test/')).toBe('refused')
  })

  test('and that asks for more than a page may wait is closed at once', () => {
    const here = bench()
    expect(here.ask('https://a.test/', throttled(365 * day))).toHaveLength(1)
    expect(here.judge('https://a.test/')).toBe('refused')
  })

  test('for a moment is waited for a minute where pages may not wait at all', () => {
    const here = bench({ totalWaitMs: 0 })
    expect(here.ask('https://a.test/', throttled(20_000), throttled(20_000), throttled(20_000))).toHaveLength(4)
    here.ask('https://b.test/', throttled(61_000))
    expect(here.judge('https://b.test/')).toBe('refused')
  })

  test('for a reason that stays is closed at once', () => {
    const here = bench()
    expect(here.ask('https://a.test/', failed('TLS_FAILED'))).toHaveLength(1)
    expect(here.judge('https://a.test/')).toBe('refused')
  })

  test('because a stranger may not name its address is asked for anew when a seed does', () => {
    const here = bench()
    const linked: Task = { ...taskOf('http://10.0.0.1/'), reach: 'public' }
    const seed = taskOf('http://10.0.0.1/')
    const first = here.robots.taskFor(linked)
    expect(first.reach).toBe('public')
    expect(here.robots.learn(first, failed('ADDRESS_REFUSED'), here.nowMs)).toBeNull()
    expect(here.robots.judge(linked)).toBe('refused')
    expect(here.robots.judge(seed)).toBe('unknown')
    const second = here.robots.taskFor(seed)
    expect(second.reach).toBe('any')
    // Its file leads elsewhere inside by way of the public web: the seed is refused, and does not ask for ever.
    expect(here.robots.learn(second, failed('ADDRESS_REFUSED'), here.nowMs)).toBeNull()
    expect(here.robots.judge(seed)).toBe('refused')
  })

  test('because we were stopped is as unknown as before', () => {
    const here = bench()
    here.ask('https://a.test/', failed('ABORTED'))
    expect(here.judge('https://a.test/')).toBe('unknown')
    expect(isReady(here, 'a.test')).toBe(true)
  })

  test('because no way is left to it is as unknown as before, and its host is open again', () => {
    const here = bench()
    const [task] = here.ask('https://a.test/')
    if (task === undefined) throw new Error('nothing was asked')
    here.robots.abandon(task)
    expect(here.judge('https://a.test/')).toBe('unknown')
    expect(isReady(here, 'a.test')).toBe(true)
    here.ask('https://a.test/', answered(closed))
    here.nowMs += 25 * 3_600_000
    const [again] = here.ask('https://a.test/')
    if (again !== undefined) here.robots.abandon(again)
    expect(here.robots.faultOf(taskOf('https://a.test/'))).toBeNull()
    expect(isReady(here, 'a.test')).toBe(true)
  })
})

describe('a host whose file is to be ignored', () => {
  test('is allowed everything, on every port when it is named without one', () => {
    const here = bench({ ignoreFor: ['a.test', 'b.test:8080'] })
    expect(here.judge('https://a.test:8443/private')).toBe('allowed')
    expect(here.judge('http://b.test:8080/private')).toBe('allowed')
    expect(here.judge('http://b.test/private')).toBe('unknown')
    expect(here.judge('http://www.a.test/private')).toBe('unknown')
  })
})

describe('a Crawl-delay', () => {
  test('is that of the slower of two origins of a host, at most a minute', () => {
    const here = bench()
    const host = 'a.test' as HostKey
    expect(here.robots.crawlDelayMs(host)).toBeNull()
    here.ask('http://a.test/', answered('User-agent: *\nCrawl-delay: 2'))
    expect(here.robots.crawlDelayMs(host)).toBe(2_000)
    here.ask('https://a.test/', answered('User-agent: *\nCrawl-delay: 3600'))
    expect(here.robots.crawlDelayMs(host)).toBe(60_000)
    here.ask('http://b.test/', answered('User-agent: *\nCrawl-delay: 0'))
    expect(here.robots.crawlDelayMs('b.test' as HostKey)).toBeNull()
  })
})

test('of many origins the oldest judged one is forgotten', () => {
  const here = bench({ maxOrigins: 2 })
  const waiting = here.robots.taskFor(taskOf('https://waiting.test/'))
  for (const name of ['a', 'b', 'c']) here.ask(`https://${name}.test/`, answered(closed))
  expect(here.judge('https://a.test/')).toBe('unknown')
  expect(here.judge('https://c.test/private')).toBe('refused')
  expect(here.robots.learn(waiting, answered(closed), here.nowMs)).toBeNull()
  expect(here.judge('https://waiting.test/private')).toBe('refused')
})
