import { describe, expect, test } from 'vitest'
import { type ErrorCode, faultOf } from '../../src/core/errors.ts'
import { createEvents } from '../../src/core/events.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { ProxyFailure } from '../../src/core/route.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import { readProxy } from '../../src/job/proxy-line.ts'
import { createProxyPool, type ProxyPoolOptions } from '../../src/proxy/pool.ts'
import { createSimEnv } from '../sim/random.ts'

const taskOf = (nth: number, more: Partial<Task> = {}): Task =>
  newTask(`t${nth}`, new URL(`http://a.test/${nth}`), 'page', more)
const timing = { connectMs: 20, firstByteMs: 100, totalMs: 120 }
const pageOf = (task: Task): Outcome => ({
  kind: 'page',
  page: { task, status: 200, headers: {}, body: new Uint8Array(0), timing, reach: 'any' },
})
const gone: Outcome = { kind: 'gone', status: 403, timing }
const throttled: Outcome = { kind: 'throttled', status: 429, retryAfterMs: null, timing }
const failed = (code: ErrorCode, proxyFailure?: ProxyFailure): Outcome => ({
  kind: 'failed',
  fault: faultOf(code, code),
  status: null,
  timing: null,
  retryAfterMs: null,
  ...(proxyFailure !== undefined && { proxyFailure }),
})
const fault = failed('PROXY_FAILED', 'connect')

const specOf = (url: string, region: string | null = null) => {
  const read = readProxy(url, { region, weight: 1 })
  if (read.kind === 'wrong') throw new Error(read.accepted)
  return read.spec
}

function poolOf(urls: readonly (string | readonly [string, string])[], rules: Partial<ProxyPoolOptions['rules']> = {}) {
  const env = createSimEnv(1)
  let returned = 0
  const pool = createProxyPool({
    env,
    events: createEvents('pool'),
    rules: {
      connection: 'fresh',
      rotation: 'round-robin',
      perProxy: 100,
      regions: [],
      geo: null,
      session: { maxUses: 50, maxAgeMs: 1e9, maxBlocks: 3 },
      ...rules,
    },
    specs: urls.map(entry => (typeof entry === 'string' ? specOf(entry) : specOf(...entry))),
    budgetMs: 20_000,
    retries: 5,
    parkMs: 600_000,
    onReturned: () => {
      returned += 1
    },
  })
  /** One attempt, and the label it took. */
  const go = (task: Task, outcome: Outcome = pageOf(task)) => {
    const lease = pool.acquire(task)
    const judgement = lease.settle(outcome)
    return { lease, judgement, label: lease.route?.label ?? '', code: codeOf(judgement.outcome) }
  }
  return { env, pool, go, returned: () => returned }
}

const codeOf = (outcome: Outcome): string => (outcome.kind === 'failed' ? outcome.fault.code : outcome.kind)
const two = ['http://one.test:1', 'http://two.test:2']

describe('a lease', () => {
  test('comes back once, whatever is done with it', () => {
    const { pool, returned } = poolOf(two)
    const task = taskOf(1)
    const lease = pool.acquire(task)
    expect(pool.views().map(({ inFlight }) => inFlight)).toEqual([1, 0])
    lease.settle(pageOf(task))
    lease.settle(fault)
    lease[Symbol.dispose]()
    expect(pool.views().map(({ inFlight }) => inFlight)).toEqual([0, 0])
    expect(pool.views()[0]?.failures.connect).toBe(0)
    expect(returned()).toBe(1)
  })

  test('that is disposed without a word teaches nothing', () => {
    const { pool } = poolOf(two)
    for (let nth = 0; nth < 10; nth += 1) pool.acquire(taskOf(nth))[Symbol.dispose]()
    expect(pool.views().every(({ score, isDown }) => score === 1 && !isDown)).toBe(true)
  })

  test('that is disposed was no use of its proxy, nor of the identity of a session', () => {
    const { pool, go } = poolOf(two, { session: { maxUses: 3, maxAgeMs: 1e9, maxBlocks: 9 } })
    const task = taskOf(1, { session: 'cart' })
    const keys = new Set<string | null | undefined>()
    for (let nth = 0; nth < 10; nth += 1) {
      using lease = pool.acquire(task)
      keys.add(lease.route?.sessionKey)
    }
    expect(pool.views().map(({ uses }) => uses)).toEqual([0, 0])
    for (let nth = 0; nth < 3; nth += 1) keys.add(go(task).lease.route?.sessionKey)
    expect(keys.size).toBe(1)
    expect(go(task).lease.route?.sessionKey).not.toBe([...keys][0])
  })

  test('is not to be had beyond the bound of each proxy', () => {
    const { pool } = poolOf(two, { perProxy: 2 })
    const leases = Array.from({ length: 4 }, (_, nth) => pool.acquire(taskOf(nth)))
    expect(pool.readyAtMs(taskOf(9).host)).toBe(Number.POSITIVE_INFINITY)
    expect(() => pool.acquire(taskOf(9))).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
    leases[0]?.[Symbol.dispose]()
    expect(pool.readyAtMs(taskOf(9).host)).toBe(0)
  })
})

describe('a proxy that fails', () => {
  test('is not asked again for the same URL while there is another', () => {
    const { go } = poolOf(two)
    const task = taskOf(1)
    expect(go(task, fault)).toMatchObject({ label: 'one.test:1', code: 'PROXY_FAILED', judgement: { isFree: false } })
    expect(go({ ...task, attempts: { url: 0, proxy: 1, waits: 0 } }).label).toBe('two.test:2')
  })

  test('and is the only one is given up after half an hour, let in ten minutes later, and back with its first answer', () => {
    const { pool, go, env } = poolOf(['http://one.test:1'])
    const task = taskOf(1)
    const minuteMs = 60_000
    const waitUntil = (atMs: number): void => void env.clock.advance(Math.max(0, atMs - env.clock.nowMs()))
    while (pool.faultOf(task) === null) {
      waitUntil(pool.readyForMs(task))
      go(task, fault)
    }
    const givenUpAtMs = env.clock.nowMs()
    expect(givenUpAtMs).toBeGreaterThan(30 * minuteMs)
    expect(givenUpAtMs).toBeLessThan(37 * minuteMs)
    expect(pool.faultOf(task)).toMatchObject({
      code: 'PROXY_FAILED',
      message: expect.stringMatching(
        /^http:\/\/a\.test\/1 was not asked for: the only proxy that it may take has not worked for 3\d min \(last: connect\)$/,
      ),
    })
    // Whoever waits for a proxy comes now, and ends.
    expect(pool.readyAtMs(task.host)).toBe(0)
    waitUntil(givenUpAtMs + 10 * minuteMs)
    expect(pool.faultOf(task)).toBe(null)
    expect(go(task, fault).judgement.isFree).toBe(true)
    expect(pool.faultOf(task)).not.toBe(null)
    waitUntil(givenUpAtMs + 20 * minuteMs)
    go(task)
    expect(pool.views()[0]?.isDown).toBe(false)
    for (let nth = 0; nth < 8; nth += 1) {
      waitUntil(pool.readyForMs(task))
      go(task, fault)
    }
    // What fails after an answer fails anew.
    expect(pool.views()[0]?.isDown).toBe(true)
    expect(pool.faultOf(task)).toBe(null)
  })

  test('is not given up for two faults, though nobody asked anything in the hours between them', () => {
    const { pool, go, env } = poolOf(['http://one.test:1'])
    const denied = failed('PROXY_FAILED', 'denied')
    go(taskOf(1), denied)
    void env.clock.advance(3 * 3_600_000)
    go(taskOf(2), denied)
    expect(pool.views()[0]?.isDown).toBe(true)
    expect(pool.faultOf(taskOf(3))).toBe(null)
  })

  test('is left alone after three in a row, for a growing time, and is back after one good probe', () => {
    const { pool, go, env } = poolOf(['http://one.test:1'])
    const { host } = taskOf(0)
    const lengths: number[] = []
    for (let nth = 0; nth < 6; nth += 1) {
      const probe = go(taskOf(nth), fault)
      expect(probe.judgement.isFree).toBe(nth > 2)
      const readyMs = pool.readyAtMs(host)
      if (readyMs > env.clock.nowMs()) lengths.push(readyMs - env.clock.nowMs())
      void env.clock.advance(Math.max(0, readyMs - env.clock.nowMs()))
    }
    expect(lengths.length).toBe(4)
    for (const [nth, length] of lengths.entries()) {
      expect(length).toBeGreaterThanOrEqual(Math.min(15_000, 2_000 * 2 ** nth))
      expect(length).toBeLessThanOrEqual(1.25 * Math.min(15_000, 2_000 * 2 ** nth))
    }
    const probe = pool.acquire(taskOf(7))
    expect(pool.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
    probe.settle(pageOf(taskOf(7)))
    expect(pool.views()[0]).toMatchObject({ isDown: false, coolDowns: 4 })
    // One at a time at first.
    pool.acquire(taskOf(8))
    expect(pool.readyAtMs(host)).toBe(Number.POSITIVE_INFINITY)
  })

  test('by a certificate of its own costs no URL its life while there is another', () => {
    const { go } = poolOf(two)
    const task = taskOf(1)
    expect(go(task, failed('TLS_FAILED'))).toMatchObject({ label: 'one.test:1', code: 'PROXY_FAILED' })
    expect(go({ ...task, attempts: { url: 0, proxy: 1, waits: 0 } })).toMatchObject({ label: 'two.test:2' })
  })

  test('is not back because a name was not found, which no proxy was asked for', () => {
    const { pool, go, env } = poolOf(['socks5://one.test:1'])
    for (let nth = 0; nth < 3; nth += 1) go(taskOf(nth), fault)
    void env.clock.advance(5_000)
    go(taskOf(4), failed('DNS_FAILED'))
    expect(pool.views()[0]).toMatchObject({ isDown: true })
  })

  test('by its credentials is left alone at once', () => {
    const { pool, go } = poolOf(two)
    go(taskOf(1), failed('PROXY_FAILED', 'denied'))
    expect(pool.views().map(({ isDown }) => isDown)).toEqual([true, false])
  })

  test('what the host did is not its fault', () => {
    const { pool, go } = poolOf(two)
    for (let nth = 0; nth < 40; nth += 1) go(taskOf(nth), failed('SERVER_ERROR'))
    expect(pool.views().every(({ isDown, score }) => !isDown && score === 1)).toBe(true)
  })
})

describe('blocks', () => {
  const regions = [
    ['http://b0.test:1', 'bad'],
    ['http://b1.test:1', 'bad'],
    ['http://w0.test:1', 'well'],
    ['http://w1.test:1', 'well'],
  ] as const

  test('of one region alone are its own: the URL goes elsewhere, the host is told nothing', () => {
    const { pool, go } = poolOf(regions)
    const codes: string[] = []
    let afterBlame = 0
    for (let nth = 0; nth < 60; nth += 1) {
      const task = taskOf(nth)
      const lease = pool.acquire(task)
      const isBad = lease.route?.region === 'bad'
      if (isBad && codes.includes('BLOCKED')) afterBlame += 1
      const { outcome } = lease.settle(isBad ? throttled : pageOf(task))
      if (isBad) codes.push(codeOf(outcome))
      else expect(outcome.kind).toBe('page')
    }
    expect(codes.at(-1)).toBe('BLOCKED')
    expect(codes.length).toBeLessThan(9)
    // Left alone at this host, and at no other.
    expect(afterBlame).toBe(0)
    expect(go(newTask('x', new URL('http://b.test/'), 'page')).label).toMatch(/^b/)
  })

  test('that every region gets are the host’s', () => {
    const { go } = poolOf(regions)
    const codes = Array.from({ length: 40 }, (_, nth) => go(taskOf(nth), throttled).code)
    expect(new Set(codes)).toEqual(new Set(['throttled']))
    expect(go(taskOf(41), gone).code).toBe('gone')
  })

  test('a first 403 is asked of another exit before it is believed', () => {
    const { go } = poolOf(regions)
    expect(go(taskOf(1), gone).code).toBe('BLOCKED')
    const { go: alone } = poolOf(['http://one.test:1'])
    expect(alone(taskOf(1), gone).code).toBe('gone')
  })

  test('a page with a block sign goes elsewhere; one of the gateway’s own is a lie, and three are enough', () => {
    const { pool, go } = poolOf(two)
    const task = taskOf(1)
    const { lease, judgement } = go(task)
    const unmasked = lease.unmask(judgement.outcome, { name: 'captcha', isLie: false })
    expect(unmasked).toMatchObject({
      isFree: false,
      outcome: { kind: 'failed', status: 200, fault: { code: 'BLOCKED' } },
    })
    expect(go(task).label).not.toBe(lease.route?.label)
    const lies = Array.from({ length: 12 }, (_, nth) => {
      const own = pool.acquire(taskOf(10 + nth))
      const seen = own.settle(pageOf(taskOf(10 + nth)))
      return own.route?.label === 'two.test:2'
        ? codeOf(own.unmask(seen.outcome, { name: 'x', isLie: true }).outcome)
        : ''
    }).filter(code => code !== '')
    expect(lies).toEqual(['PROXY_FAILED', 'PROXY_FAILED', 'PROXY_FAILED'])
    expect(pool.views().map(({ isDown, failures }) => [isDown, failures.lie])).toEqual([
      [false, 0],
      [true, 3],
    ])
  })

  test('rates by host are shown', () => {
    const { pool, go } = poolOf(['http://one.test:1'])
    for (let nth = 0; nth < 4; nth += 1) go(taskOf(nth), nth === 0 ? throttled : pageOf(taskOf(nth)))
    expect(pool.views()[0]?.blockRates).toEqual([{ host: 'a.test', rate: 0.25, answers: 4 }])
  })
})

describe('sessions', () => {
  const session = { session: 's' }

  test('keep their exit and their identity', () => {
    const { go } = poolOf(two)
    const routes = Array.from({ length: 5 }, (_, nth) => go(taskOf(nth, session)).lease.route)
    expect(new Set(routes.map(route => `${route?.label} ${route?.sessionKey}`)).size).toBe(1)
    expect(routes[0]?.sessionKey).not.toBeNull()
    expect(go(taskOf(9)).lease.route?.sessionKey).toBeNull()
  })

  test.each([
    ['after so many uses', { maxUses: 3, maxAgeMs: 1e9, maxBlocks: 9 }, 0, 3],
    ['by age', { maxUses: 99, maxAgeMs: 2_500, maxBlocks: 9 }, 1_000, 3],
  ])('are retired %s, and go on under another identity', (_, rules, stepMs, uses) => {
    const { go, env } = poolOf(two, { session: rules })
    const keys = Array.from({ length: 2 * uses }, (_unused, nth) => {
      const key = go(taskOf(nth, session)).lease.route?.sessionKey ?? ''
      void env.clock.advance(stepMs)
      return key
    })
    const [first, second] = [...new Set(keys)]
    expect(keys).toEqual([...Array(uses).fill(first), ...Array(uses).fill(second)])
  })

  test('are retired by blocks', () => {
    const { go } = poolOf(two, { session: { maxUses: 99, maxAgeMs: 1e9, maxBlocks: 1 } })
    const before = go(taskOf(1, session), gone).lease.route?.sessionKey
    expect(go(taskOf(1, session)).lease.route?.sessionKey).not.toBe(before)
  })

  test('leave an exit that is down, and one that was taken out', () => {
    const { pool, go } = poolOf(two)
    const { label } = go(taskOf(1, session))
    pool.remove(label)
    expect(go(taskOf(2, session)).label).not.toBe(label)
    pool.add([specOf(`http://${label}`)])
    const { label: now } = go(taskOf(3, session))
    for (let nth = 0; nth < 3; nth += 1) go(taskOf(4, session), fault)
    expect(go(taskOf(5, session)).label).not.toBe(now)
  })
})

describe('a gateway', () => {
  const gateway = ['http://user-country-{geo}-session-{session}:p@gate.test:8000']
  const userOf = (lease: { route: { proxy: { credentials: { user: string } | null } } | null }): string =>
    lease.route?.proxy.credentials?.user ?? ''

  test('is told where to come out and as whom, a new one each time without a session', () => {
    const { go, pool } = poolOf(gateway, { regions: ['de', 'fr'] })
    const users = Array.from({ length: 4 }, (_, nth) => userOf(go(taskOf(nth)).lease))
    expect(users.every(user => /^user-country-(de|fr)-session-[a-z0-9]{10}$/.test(user))).toBe(true)
    expect(new Set(users).size).toBe(4)
    const kept = [1, 2].map(nth => userOf(go(taskOf(nth, { session: 's' })).lease))
    expect(kept[0]).toBe(kept[1])
    expect(pool.views().map(({ proxy, region }) => [proxy, region])).toEqual([
      ['gate.test:8000 de', 'de'],
      ['gate.test:8000 fr', 'fr'],
    ])
  })

  test('comes out where the seed says, or the page, or a function of the URL', () => {
    expect(userOf(poolOf(gateway).go(taskOf(1, { geo: 'it' })).lease)).toContain('-it-')
    expect(userOf(poolOf(gateway, { geo: { page: 'pt' } }).go(taskOf(1)).lease)).toContain('-pt-')
    const byUrl = poolOf(gateway, { geo: url => (url.endsWith('/7') ? 'us' : 'gb') })
    expect(userOf(byUrl.go(taskOf(7)).lease)).toContain('-us-')
    expect(userOf(byUrl.go(taskOf(8, { geo: 'it' })).lease)).toContain('-it-')
  })

  test('that shares its connections goes on as the same one', () => {
    const { go } = poolOf(gateway, { regions: ['de'], connection: 'pooled' })
    expect(userOf(go(taskOf(1)).lease)).toBe(userOf(go(taskOf(2)).lease))
  })

  test('a URL that no proxy could take says what it lacks', () => {
    expect(poolOf(gateway).pool.faultOf(taskOf(1))?.message).toMatch(/a place to come out at/)
    const { pool } = poolOf([['http://one.test:1', 'de']])
    expect(pool.faultOf(taskOf(1, { geo: 'DE' }))).toBeNull()
    expect(pool.faultOf(taskOf(1, { geo: 'jp' }))?.message).toMatch(/a proxy of region "jp"/)
  })
})

describe('the list', () => {
  test('changes while it is in use: those that go end what they have', () => {
    const { pool } = poolOf(two)
    const lease = pool.acquire(taskOf(1))
    const label = lease.route?.label ?? ''
    expect(pool.remove(label)).toBe(true)
    expect(pool.remove(label)).toBe(false)
    expect(pool.views().length).toBe(1)
    expect(lease.settle(pageOf(taskOf(1))).outcome.kind).toBe('page')
    expect(pool.add([specOf('http://two.test:2'), specOf('http://three.test:3')])).toEqual([
      'two.test:2#2',
      'three.test:3',
    ])
    expect(pool.views().length).toBe(3)
  })

  test('of one is not "all 1 proxies" when it is down', () => {
    const { pool, go } = poolOf(['http://one.test:1'])
    for (let nth = 0; nth < 3; nth += 1) go(taskOf(nth), fault)
    expect(pool.explain()).toMatch(/^the only proxy is down \(last: connect\): one\.test:1 is probed next/)
  })

  test('that is empty closes the gate, and says so', () => {
    const { pool } = poolOf(['http://one.test:1'])
    pool.remove('one.test:1')
    expect(pool.explain()).toBe('there are no proxies in the list')
    expect(pool.readyAtMs(taskOf(1).host)).toBe(Number.POSITIVE_INFINITY)
  })
})
