import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Fate } from '../../src/core/fate.ts'
import { createLedger } from '../../src/core/ledger.ts'
import { type Task, taskId } from '../../src/core/task.ts'
import { hostKey } from '../../src/core/url.ts'
import { createFrontier } from '../../src/frontier/create-frontier.ts'
import { stores } from '../../src/frontier/stores/index.ts'
import type { Whereabouts } from '../../src/frontier/whereabouts.ts'
import { taskOf, tasksOf } from './tasks.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-window-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const fresh = (): string => join(folder, `${files++}.db`)

const window = { perHost: 8, total: 40 }
const done: Fate = { kind: 'done' }

/** A frontier over a real store, whose commits come when they are asked for, as those of a run do. */
async function openFrontier(path: string) {
  const store = await stores.sqlite({ path, clock: realClock })
  const ledger = createLedger()
  ledger.restore(store.recovered)
  let commits = Promise.resolve()
  const commit = (): Promise<void> => {
    const kept = frontier.seal()({ items: { bytes: 0 }, dead: { bytes: 0 } })
    commits = commits.then(() => kept)
    return commits
  }
  let woken = Promise.withResolvers<void>()
  const frontier = createFrontier({
    clock: realClock,
    store,
    ledger,
    window,
    onReady: () => woken.resolve(),
    onUncommitted: () => void setImmediate(commit),
  })
  await frontier.recover()
  /** The next task, waited for; null at the end. */
  async function next(): Promise<Task | null> {
    for (;;) {
      woken = Promise.withResolvers<void>()
      const found = frontier.take(() => 0)
      if (found.kind === 'task') return found.task
      if (found.kind === 'done') return null
      await woken.promise
    }
  }
  return { frontier, ledger, commit, next, [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose]() }
}

/** Takes and ends everything, and says what came. */
async function drain({ frontier, next, commit }: Awaited<ReturnType<typeof openFrontier>>): Promise<readonly Task[]> {
  const all: Task[] = []
  for (let task = await next(); task !== null; task = await next()) {
    all.push(task)
    frontier.settle(task, done)
    if (all.length % 5 === 0) void commit()
  }
  await commit()
  return all
}

function shelvedBy(found: Whereabouts): Whereabouts & { readonly kind: 'elsewhere' } {
  if (found.kind !== 'elsewhere') throw new Error(`it is ${found.kind}`)
  return found
}

describe('a queue larger than its window', () => {
  test('comes out whole, each task once, in its order', async () => {
    await using opened = await openFrontier(fresh())
    const tasks = tasksOf('a.test', 500)
    opened.frontier.add(tasks)
    await opened.commit()
    expect((await drain(opened)).map(({ url }) => url)).toEqual(tasks.map(({ url }) => url))
    expect(opened.ledger.counts).toMatchObject({ done: 500, pending: 0 })
  })

  test('comes out though no commit had told the store of it', async () => {
    await using opened = await openFrontier(fresh())
    opened.frontier.add(tasksOf('a.test', 10))
    await opened.commit()
    opened.frontier.add(tasksOf('a.test', 300))
    expect(await drain(opened)).toHaveLength(300)
  })

  test('leaves the turns of other hosts alone', async () => {
    await using opened = await openFrontier(fresh())
    opened.frontier.add(tasksOf('large.test', 400))
    await opened.commit()
    opened.frontier.add(tasksOf('small.test', 20))
    const order = (await drain(opened)).map(({ host }) => host)
    expect(order.lastIndexOf('small.test' as never)).toBeLessThan(60)
  })

  test('lets an urgent task pass what is on the shelf', async () => {
    await using opened = await openFrontier(fresh())
    opened.frontier.add(tasksOf('a.test', 200))
    await opened.commit()
    opened.frontier.add([taskOf('http://a.test/urgent', { priority: 7 })])
    expect(await opened.next()).toMatchObject({ url: 'http://a.test/urgent' })
  })

  test('goes on in the next process where it was', async () => {
    const path = fresh()
    const hosts = Array.from({ length: 30 }, (_, nth) => `h${nth}.test`)
    const first: Task[] = []
    {
      await using opened = await openFrontier(path)
      for (const host of hosts) opened.frontier.add(tasksOf(host, 20))
      for (let count = 0; count < 100; count += 1) {
        const task = await opened.next()
        if (task === null) throw new Error('there is more')
        first.push(task)
        opened.frontier.settle(task, done)
      }
      await opened.commit()
    }
    await using opened = await openFrontier(path)
    expect(opened.frontier.size.queued).toBe(500)
    const rest = await drain(opened)
    expect(new Set([...first, ...rest].map(({ url }) => url)).size).toBe(600)
    expect(rest).toHaveLength(500)
  })

  test('finds a URL of a session that is on the shelf or has ended, in the next process too', async () => {
    const path = fresh()
    const tasks = tasksOf('a.test', 200).map(task => ({ ...task, id: taskId(task.id, 's'), session: 's' }))
    const keyOf = (nth: number): string => taskOf(`http://a.test/${nth}`).id
    {
      await using opened = await openFrontier(path)
      opened.frontier.add(tasks)
      await opened.commit()
      expect(opened.frontier.find(keyOf(0))).toMatchObject({ kind: 'due' })
      const { shelved } = shelvedBy(opened.frontier.find(keyOf(199)))
      expect(shelved).toBeGreaterThan(100)
      const task = await opened.next()
      if (task !== null) opened.frontier.settle(task, done)
      expect(opened.frontier.find(keyOf(0))).toEqual({ kind: 'elsewhere', shelved })
      await opened.commit()
    }
    await using opened = await openFrontier(path)
    for (const nth of [0, 199]) expect(shelvedBy(opened.frontier.find(keyOf(nth))).shelved).toBeGreaterThan(100)
    expect(opened.frontier.find(keyOf(200))).toEqual({ kind: 'unknown' })
    await drain(opened)
    expect(opened.frontier.find(keyOf(199))).toEqual({ kind: 'elsewhere', shelved: 0 })
  })
})

const hostArb = fc.constantFrom('a.test', 'b.test', 'c.test')
const stepArb = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      host: hostArb,
      count: fc.nat(60),
      from: fc.nat(200),
      priority: fc.constantFrom(0, 0, 1),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('take' as const), count: fc.nat(30) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      count: fc.nat(40),
      fate: fc.constantFrom('done' as const, 'retry' as const, 'moved' as const, 'back' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit' as const), isWaited: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)

test('whatever is done to it, each task ends once, over processes too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArb, { maxLength: 40 }), async steps => {
      const path = fresh()
      let opened = await openFrontier(path)
      const added = new Set<string>()
      const committedEnds = new Set<string>()
      let ends: string[] = []
      let leased: Task[] = []
      let moves = 0
      const end = (task: Task): void => {
        expect(committedEnds.has(task.askedUrl) || ends.includes(task.askedUrl), task.askedUrl).toBe(false)
        ends.push(task.askedUrl)
        opened.frontier.settle(task, done)
      }
      const commit = async (): Promise<void> => {
        const kept = ends
        ends = []
        for (const url of kept) committedEnds.add(url)
        await opened.commit()
      }
      for (const step of steps) {
        if (step.kind === 'add') {
          const tasks = Array.from({ length: step.count }, (_, nth) =>
            taskOf(`http://${step.host}/${step.from + nth}`, { priority: step.priority }),
          )
          for (const { url } of tasks) added.add(url)
          opened.frontier.add(tasks)
        } else if (step.kind === 'take') {
          for (let nth = 0; nth < step.count; nth += 1) {
            const found = opened.frontier.take(() => 0)
            if (found.kind !== 'task') await new Promise(setImmediate)
            else leased.push(found.task)
          }
        } else if (step.kind === 'end') {
          for (const task of leased.splice(0, step.count)) {
            if (step.fate === 'done') end(task)
            else if (step.fate === 'retry')
              opened.frontier.settle(task, { kind: 'retry', notBeforeMs: 0, charge: 'url' })
            else if (step.fate === 'back') opened.frontier.putBack(task)
            else {
              moves += 1
              const url = `http://d.test/${moves}`
              const to = { ...task, id: `moved ${moves}`, url, host: hostKey(new URL(url)) }
              opened.frontier.settle(task, { kind: 'moved', to })
            }
          }
        } else if (step.kind === 'commit') {
          const kept = commit()
          if (step.isWaited) await kept
        } else {
          await commit()
          await opened.frontier[Symbol.asyncDispose]()
          leased = []
          opened = await openFrontier(path)
        }
      }
      for (const task of leased) end(task)
      for (let task = await opened.next(); task !== null; task = await opened.next()) end(task)
      await commit()
      expect([...committedEnds].sort()).toEqual([...added].sort())
      await opened.frontier[Symbol.asyncDispose]()
    }),
    { numRuns: Number(process.env.FUZZ_WINDOW ?? 12) },
  )
}, 60_000)
