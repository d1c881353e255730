import { beforeEach, describe, expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { createLedger, type Ledger } from '../../src/core/ledger.ts'
import { type Task, taskId } from '../../src/core/task.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createFrontier } from '../../src/frontier/create-frontier.ts'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { memory } from '../../src/frontier/stores/memory.ts'
import { createSimClock, type SimClock } from '../sim/clock.ts'
import { taskOf, tasksOf } from './tasks.ts'

const open = (): number => 0
const blocked = (): number => Number.POSITIVE_INFINITY
const fault = { code: 'SERVER_ERROR', message: '500' } as const

let clock: SimClock
let ledger: Ledger
let frontier: Frontier
let alarms: number

beforeEach(() => {
  clock = createSimClock()
  ledger = createLedger()
  alarms = 0
  frontier = createFrontier({ clock, store: memory(), ledger, onReady: () => alarms++ })
})

function mustTake(readyAtMs: (host: HostKey) => number = open): Task {
  const next = frontier.take(readyAtMs)
  if (next.kind !== 'task') throw new Error(`expected a task, got ${JSON.stringify(next)}`)
  return next.task
}

/** Takes as long as something is ready, and counts how often gates are asked. */
function takeAll(readyAtMs: (host: HostKey) => number = open): { readonly tasks: Task[]; readonly asked: HostKey[] } {
  const asked: HostKey[] = []
  const tasks: Task[] = []
  for (;;) {
    const next = frontier.take(host => {
      asked.push(host)
      return readyAtMs(host)
    })
    if (next.kind !== 'task') return { tasks, asked }
    tasks.push(next.task)
  }
}

const expectInvariant = (run: () => unknown): void =>
  expect(run).toThrow(expect.objectContaining({ constructor: MillraceError, code: 'INVARIANT' }))

describe('order', () => {
  test('a host gives its tasks in the order in which they came', () => {
    const tasks = tasksOf('a.test', 50)
    frontier.add(tasks)
    expect(takeAll().tasks).toEqual(tasks)
  })

  test('hosts take turns, so that one with 10,000 tasks delays no other', () => {
    frontier.add(tasksOf('big.test', 10_000))
    frontier.add([...tasksOf('b.test', 2), ...tasksOf('c.test', 2)])
    const hosts = Array.from({ length: 8 }, () => mustTake().host)
    expect(hosts).toEqual(['big.test', 'b.test', 'c.test', 'big.test', 'b.test', 'c.test', 'big.test', 'big.test'])
  })

  test('a host that comes while others are busy has its turn within one round', () => {
    frontier.add([...tasksOf('a.test', 100), ...tasksOf('b.test', 100)])
    for (let count = 0; count < 31; count++) mustTake()
    frontier.add(tasksOf('new.test', 1))
    expect(Array.from({ length: 3 }, () => mustTake().host)).toContain('new.test')
  })

  test('what is free goes to the host that has the fewest tasks out, and of equals to the one that waited longest', () => {
    frontier.add([...tasksOf('slow.test', 100), ...tasksOf('fast.test', 100), ...tasksOf('other.test', 100)])
    const out = Array.from({ length: 12 }, mustTake)
    for (const task of out) if (task.host === 'fast.test') frontier.settle(task, { kind: 'done' })
    // A turn for each request would give a third of the places to those who keep theirs.
    expect(Array.from({ length: 4 }, () => mustTake().host)).toEqual(Array(4).fill('fast.test'))
    expect(new Set(Array.from({ length: 3 }, () => mustTake().host)).size).toBe(3)
  })

  test('a host that is not ready keeps its tasks and costs the others nothing', () => {
    frontier.add([...tasksOf('slow.test', 5), ...tasksOf('a.test', 5)])
    const { tasks } = takeAll(host => (host === 'slow.test' ? 500 : 0))
    expect(tasks.map(task => task.host)).toEqual(Array(5).fill('a.test'))
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: 500 })
  })

  test('a task whose time has not come is not given, and the wait ends with it', async () => {
    frontier.add([taskOf('http://a.test/later', { notBeforeMs: 300 }), taskOf('http://a.test/now')])
    expect(mustTake().url).toBe('http://a.test/now')
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: 300 })
    await clock.advance(300)
    expect(mustTake().url).toBe('http://a.test/later')
  })
})

describe('known URLs', () => {
  test('add counts and queues only what was never seen', () => {
    expect(frontier.add(tasksOf('a.test', 3))).toBe(3)
    expect(frontier.add(tasksOf('a.test', 5))).toBe(2)
    expect(frontier.counts).toMatchObject({ discovered: 5, pending: 5 })
    expect(takeAll().tasks).toHaveLength(5)
  })

  test('a URL that has ended is not queued again', () => {
    const [task] = tasksOf('a.test', 1)
    frontier.add(tasksOf('a.test', 1))
    frontier.settle(mustTake(), { kind: 'done' })
    expect(task !== undefined && frontier.has(task.id)).toBe(true)
    expect(frontier.add(tasksOf('a.test', 1))).toBe(0)
    expect(frontier.take(open)).toEqual({ kind: 'done' })
  })
})

describe('leases', () => {
  test('a taken task is not given twice', () => {
    frontier.add(tasksOf('a.test', 1))
    mustTake()
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: Number.POSITIVE_INFINITY })
    expect(frontier.size).toEqual({ hosts: 0, queued: 0, leased: 1 })
  })

  test('a task can be settled and put back only while it is leased', () => {
    const [task = taskOf('http://a.test/')] = tasksOf('a.test', 1)
    frontier.add([task])
    expectInvariant(() => frontier.settle(task, { kind: 'done' }))
    expectInvariant(() => frontier.putBack(task))
    const taken = mustTake()
    frontier.settle(taken, { kind: 'done' })
    expectInvariant(() => frontier.settle(taken, { kind: 'done' }))
    expect(frontier.counts).toMatchObject({ done: 1, pending: 0 })
  })

  test('an old lease does not settle the next one of the same URL', () => {
    frontier.add(tasksOf('a.test', 1))
    const first = mustTake()
    frontier.settle(first, { kind: 'retry', notBeforeMs: 0, charge: 'url' })
    const second = mustTake()
    expect(second.id).toBe(first.id)
    expectInvariant(() => frontier.settle(first, { kind: 'done' }))
    frontier.settle(second, { kind: 'done' })
  })

  test('a task that is put back is the next of its host, with nothing charged', () => {
    frontier.add(tasksOf('a.test', 3))
    const first = mustTake()
    frontier.putBack(first)
    expect(mustTake()).toBe(first)
    expect(frontier.counts).toMatchObject({ discovered: 3, pending: 3 })
  })
})

describe('fates', () => {
  test('each ends in its own place of the ledger', () => {
    frontier.add(tasksOf('a.test', 3))
    expect(frontier.settle(mustTake(), { kind: 'done' })).toEqual({ kind: 'done' })
    frontier.settle(mustTake(), { kind: 'dead', fault, status: 500 })
    frontier.settle(mustTake(), { kind: 'skipped', reason: 'robots' })
    expect(frontier.counts).toEqual({ discovered: 3, done: 1, failed: 1, skipped: 1, pending: 0 })
    expect(ledger.skips.robots).toBe(1)
    expect(frontier.take(open)).toEqual({ kind: 'done' })
  })

  test('a retry is queued again for its time, with the ledger that pays charged', async () => {
    frontier.add(tasksOf('a.test', 1))
    await clock.advance(100)
    frontier.settle(mustTake(), { kind: 'retry', notBeforeMs: 900, charge: 'url' })
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: 900 })
    expect(frontier.counts.pending).toBe(1)
    await clock.advance(800)
    expect(mustTake().attempts).toEqual({ url: 1, proxy: 0, waits: 0 })
  })

  test('a retry of a stopped run costs nothing', () => {
    frontier.add(tasksOf('a.test', 1))
    frontier.settle(mustTake(), { kind: 'retry', notBeforeMs: 0, charge: 'none' })
    expect(mustTake().attempts).toEqual({ url: 0, proxy: 0, waits: 0 })
  })

  test('a move goes on at its new host as the same entry of the ledger', () => {
    frontier.add(tasksOf('a.test', 1))
    const to = taskOf('http://b.test/')
    expect(frontier.settle(mustTake(), { kind: 'moved', to })).toEqual({ kind: 'moved', to })
    expect(frontier.counts).toMatchObject({ discovered: 1, pending: 1 })
    expect(frontier.has(to.id)).toBe(true)
    expect(mustTake()).toBe(to)
  })

  test('a move to a URL that is known already is a skip, and the caller is told so', () => {
    frontier.add([taskOf('http://a.test/'), taskOf('http://b.test/')])
    const happened = frontier.settle(mustTake(), { kind: 'moved', to: taskOf('http://b.test/') })
    expect(happened).toEqual({ kind: 'skipped', reason: 'redirected-to-known' })
    expect(ledger.skips['redirected-to-known']).toBe(1)
    expect(takeAll().tasks.map(task => task.url)).toEqual(['http://b.test/'])
  })

  test('a move to another spelling of the same URL goes on: it is its own work, not that of another', () => {
    frontier.add([taskOf('http://a.test/?b=1&a=2')])
    const to = taskOf('http://a.test/?a=2&b=1')
    expect(frontier.settle(mustTake(), { kind: 'moved', to }).kind).toBe('moved')
    expect(mustTake()).toBe(to)
  })

  test('a move back to where it came from goes on: a site that sets a cookie on the way', () => {
    const first = taskOf('http://a.test/')
    frontier.add([first])
    frontier.settle(mustTake(), { kind: 'moved', to: taskOf('http://a.test/login', { hops: [first.id] }) })
    const back = { ...first, hops: [first.id, taskOf('http://a.test/login').id] }
    expect(frontier.settle(mustTake(), { kind: 'moved', to: back }).kind).toBe('moved')
    expect(mustTake()).toBe(back)
  })
})

describe('never scanning', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => taskOf(`http://h${index}.test/`))

  test('a blocked host is asked once, and again only when it was woken', () => {
    frontier.add(many)
    expect(takeAll(blocked).asked).toHaveLength(many.length)
    expect(takeAll(blocked).asked).toHaveLength(0)
    frontier.wake('h777.test' as HostKey)
    const { asked, tasks } = takeAll()
    expect(asked).toEqual(['h777.test'])
    expect(tasks).toHaveLength(1)
  })

  test('a host that waits for a time is asked again at that time, the others not', async () => {
    frontier.add(many)
    takeAll(host => Number(/\d+/.exec(host)?.[0]) + 1000)
    await clock.advance(1010)
    expect(takeAll().asked).toEqual(Array.from({ length: 11 }, (_, index) => `h${index}.test`))
  })

  test('new tasks of a waiting host do not make it be asked', () => {
    frontier.add(tasksOf('a.test', 1))
    expect(takeAll(() => 1000).asked).toHaveLength(1)
    frontier.add(tasksOf('a.test', 500))
    expect(takeAll(() => 1000).asked).toHaveLength(0)
  })

  test('many wakes of one host ask it once', () => {
    frontier.add(tasksOf('a.test', 10))
    takeAll(blocked)
    for (let count = 0; count < 100; count++) frontier.wake('a.test' as HostKey)
    expect(takeAll(blocked).asked).toHaveLength(1)
  })
})

describe('wake-ups', () => {
  test('a host with a time to wait for is ready at once when it is woken before', () => {
    frontier.add(tasksOf('a.test', 1))
    expect(frontier.take(() => 60_000)).toEqual({ kind: 'wait', untilMs: 60_000 })
    frontier.wake('a.test' as HostKey)
    mustTake()
  })

  test('a woken host leaves no old time behind', async () => {
    frontier.add(tasksOf('a.test', 2))
    takeAll(() => 1000)
    frontier.wake('a.test' as HostKey)
    takeAll(() => 5000)
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: 5000 })
    await clock.advance(1000)
    expect(takeAll().asked).toHaveLength(0)
  })

  test('the alarm rings whenever what take says may have changed, and only then', () => {
    const rings = (change: () => void): boolean => {
      const before = alarms
      change()
      return alarms > before
    }
    expect(rings(() => frontier.add(tasksOf('a.test', 2)))).toBe(true)
    expect(rings(() => frontier.add(tasksOf('a.test', 2)))).toBe(false)
    const task = mustTake()
    takeAll(blocked)
    expect(rings(() => frontier.wake('a.test' as HostKey))).toBe(true)
    expect(rings(() => frontier.wake('a.test' as HostKey))).toBe(false)
    expect(rings(() => frontier.wake('unheard-of.test' as HostKey))).toBe(false)
    expect(rings(() => frontier.putBack(task))).toBe(true)
    expect(rings(() => frontier.settle(mustTake(), { kind: 'done' }))).toBe(true)
    const hold = frontier.hold()
    expect(rings(() => hold[Symbol.dispose]())).toBe(true)
    expect(rings(() => hold[Symbol.dispose]())).toBe(false)
  })

  test('a wake of a host without tasks is nothing', () => {
    frontier.wake('a.test' as HostKey)
    expect(frontier.take(open)).toEqual({ kind: 'done' })
    expect(frontier.size.hosts).toBe(0)
  })
})

describe('the end', () => {
  test('an empty frontier is done', () => {
    expect(frontier.take(open)).toEqual({ kind: 'done' })
  })

  test('nothing is done while a task is leased: it may bring links', () => {
    frontier.add(tasksOf('a.test', 1))
    const task = mustTake()
    expect(frontier.take(open).kind).toBe('wait')
    frontier.add(tasksOf('b.test', 1))
    frontier.settle(task, { kind: 'done' })
    expect(mustTake().host).toBe('b.test')
  })

  test('nothing is done while somebody holds the frontier open', () => {
    const seeds = frontier.hold()
    const others = frontier.hold()
    expect(frontier.open).toBe(2)
    seeds[Symbol.dispose]()
    seeds[Symbol.dispose]()
    expect(frontier.take(open)).toEqual({ kind: 'wait', untilMs: Number.POSITIVE_INFINITY })
    others[Symbol.dispose]()
    expect(frontier.take(open)).toEqual({ kind: 'done' })
  })

  test('a ledger that disagrees with the queue is a fault, not an end', () => {
    frontier.add(tasksOf('a.test', 1))
    frontier.settle(mustTake(), { kind: 'done' })
    ledger.discover(1)
    expectInvariant(() => frontier.take(open))
  })
})

test('100,000 hosts of one task each leave nothing behind', () => {
  const pattern = taskOf('http://a.test/')
  for (let round = 0; round < 4; round++) {
    const hosts = Array.from({ length: 25_000 }, (_, index) => `r${round}h${index}.test` as HostKey)
    frontier.add(hosts.map(host => ({ ...pattern, id: host, host })))
    for (const task of takeAll().tasks) frontier.settle(task, { kind: 'done' })
  }
  expect(frontier.counts).toMatchObject({ discovered: 100_000, done: 100_000, pending: 0 })
  expect(frontier.size).toEqual({ hosts: 0, queued: 0, leased: 0 })
})

describe('a URL is found by its key', () => {
  const inSession = (text: string, session: string): Task => {
    const task = taskOf(text)
    return { ...task, id: taskId(task.id, session), session }
  }
  const key = taskOf('http://a.test/1').id

  test('wherever it is, until it has ended', async () => {
    expect(frontier.find(key)).toEqual({ kind: 'unknown' })
    frontier.add([...tasksOf('b.test', 5), taskOf('http://a.test/1')])
    expect(frontier.find(key)).toMatchObject({ kind: 'due', task: { id: key } })
    const [task] = takeAll().tasks.filter(({ id }) => id === key)
    if (task === undefined) throw new Error('it was not taken')
    expect(frontier.find(key)).toEqual({ kind: 'leased', task })
    frontier.settle(task, { kind: 'retry', notBeforeMs: 5_000, charge: 'url' })
    expect(frontier.find(key)).toMatchObject({ kind: 'later', task: { id: key, notBeforeMs: 5_000 } })
    await clock.advance(5_000)
    expect(frontier.find(key)).toMatchObject({ kind: 'due' })
    frontier.settle(mustTake(), { kind: 'done' })
    expect(frontier.find(key)).toEqual({ kind: 'elsewhere', shelved: 0 })
  })

  test('whatever its session, also when it ended as it came', () => {
    frontier.add([inSession('http://a.test/1', 'one')])
    expect(frontier.has(key)).toBe(false)
    expect(frontier.find(key)).toMatchObject({ kind: 'due', task: { session: 'one' } })
    frontier.bury(inSession('http://a.test/2', 'one'), { kind: 'skipped', reason: 'trap' })
    expect(frontier.find(taskOf('http://a.test/2').id)).toEqual({ kind: 'elsewhere', shelved: 0 })
    expect(frontier.find(taskOf('http://a.test/3').id)).toEqual({ kind: 'unknown' })
  })

  test('as the one that is due first, with its cause, where several sessions wait for their time', () => {
    frontier.add([inSession('http://a.test/1', 'one'), inSession('http://a.test/1', 'two')])
    const cause = { code: 'CONNECT_FAILED', status: null } as const
    for (const notBeforeMs of [9_000, 5_000])
      frontier.settle(mustTake(), { kind: 'retry', notBeforeMs, charge: 'url', cause })
    expect(frontier.find(key)).toMatchObject({ kind: 'later', task: { session: 'two', notBeforeMs: 5_000, cause } })
  })

  test('at where it leads, when it was redirected', () => {
    frontier.add([taskOf('http://a.test/1')])
    const to = taskOf('http://b.test/9', { hops: [key] })
    frontier.settle(mustTake(), { kind: 'moved', to })
    expect(frontier.find(key)).toMatchObject({ kind: 'due', task: { url: 'http://b.test/9' } })
    frontier.settle(mustTake(), { kind: 'retry', notBeforeMs: 5_000, charge: 'url' })
    expect(frontier.find(key)).toMatchObject({ kind: 'later', task: { url: 'http://b.test/9' } })
    expect(frontier.find(to.id)).toMatchObject({ kind: 'later', task: { url: 'http://b.test/9' } })
  })
})
