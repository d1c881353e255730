import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import { type Task, taskId } from '../../src/core/task.ts'
import { stores } from '../../src/frontier/stores/index.ts'
import type { StoreBatch, TaskStore } from '../../src/frontier/stores/store.ts'
import { taskOf, tasksOf } from './tasks.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
/** A new, empty store of each kind of the table. */
const createStore: { readonly [K in keyof typeof stores]: () => TaskStore | Promise<TaskStore> } = {
  memory: () => stores.memory(),
  sqlite: () => stores.sqlite({ path: join(folder, `${files++}.db`), clock: realClock }),
}

const position = { bytes: 0, lines: 0, crc: 0 }
const batch = (differing: Partial<StoreBatch>): StoreBatch => ({
  fates: [],
  links: [],
  output: { sequence: 1, position: { items: position, dead: position } },
  ...differing,
})
const taskInSession = (text: string): Task => {
  const task = taskOf(text)
  return { ...task, id: taskId(task.id, 'a b'), session: 'a b' }
}
const idsOf = (tasks: readonly { readonly id: string }[]): string[] => tasks.map(({ id }) => id)

/** What every task store promises; a store that outlives the process adds its own tests of reopening. */
describe.each(Object.entries(createStore))('task store %s', (_name, create) => {
  test('claims each id once, and gives back the new ones in their order', async () => {
    await using store = await create()
    const [first, second, third] = tasksOf('a.test', 3) as [ReturnType<typeof taskOf>, never, never]
    expect(idsOf(store.put([first, second]))).toEqual(idsOf([first, second]))
    expect(idsOf(store.put([third, first]))).toEqual(idsOf([third]))
    expect(store.put([first, second, third])).toEqual([])
    expect(store.known).toBe(3)
  })

  test('claims an id once that stands twice in one call', async () => {
    await using store = await create()
    const task = taskOf('http://a.test/')
    expect(store.put([task, { ...task, depth: 4 }])).toMatchObject([task])
  })

  test('knows what was put and nothing else', async () => {
    await using store = await create()
    const task = taskOf('http://a.test/')
    expect(store.has(task.id)).toBe(false)
    store.put([task])
    expect(store.has(task.id)).toBe(true)
    expect(store.has(`${task.id}x`)).toBe(false)
  })

  test('knows a URL by its key, whatever its session', async () => {
    await using store = await create()
    store.put([taskInSession('http://a.test/1'), taskOf('http://a.test/2')])
    const known = [1, 2, 3].map(nth => store.hasKey(taskOf(`http://a.test/${nth}`).id))
    expect(known).toEqual([true, true, false])
  })

  test('has nothing to load when it is new, nor what this process has put itself', async () => {
    await using store = await create()
    expect(await store.load(10)).toEqual([])
    store.put(tasksOf('a.test', 3))
    expect(await store.load(10)).toEqual([])
  })

  test('still knows a task whose end was committed', async () => {
    await using store = await create()
    const [task, link] = store.put([taskOf('http://a.test/'), taskOf('http://a.test/next')])
    if (task === undefined || link === undefined) throw new Error('not put')
    await store.commit(batch({ links: [task, link] }))
    await store.commit(batch({ fates: [{ task, fate: { kind: 'done' } }] }))
    expect(store.put([task, link])).toEqual([])
  })

  test('can be closed twice', async () => {
    const store = await create()
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  test('two stores know nothing of each other', async () => {
    await using one = await create()
    await using other = await create()
    one.put([taskOf('http://a.test/')])
    expect(other.known).toBe(0)
  })
})

describe('a store in a file', () => {
  const open = (path: string) => stores.sqlite({ path, clock: realClock, metaKeys: ['job'] })
  const next = (): string => join(folder, `${files++}.db`)

  test('gives back what was left undone, with its ledgers, and knows the rest', async () => {
    const path = next()
    const [done, dead, skipped, retried, moved, fresh] = ['d', 'x', 's', 'r', 'm', 'f'].map(name =>
      taskOf(`http://a.test/${name}`, { session: 's', geo: 'fr', meta: { a: [1] }, priority: -3 }),
    )
    if (!done || !dead || !skipped || !retried || !moved || !fresh) throw new Error('no tasks')
    {
      await using store = await open(path)
      const put = store.put([done, dead, skipped, retried, moved, fresh])
      const [d, x, s, r, m] = put as [typeof done, typeof done, typeof done, typeof done, typeof done]
      const to = { ...m, id: 'http://a.test/elsewhere', url: 'http://a.test/elsewhere', hops: [m.id] }
      await store.commit(
        batch({
          links: put,
          fates: [
            { task: d, fate: { kind: 'done' } },
            { task: x, fate: { kind: 'dead', fault: { code: 'HTTP_STATUS', message: 'x' }, status: 404 } },
            { task: s, fate: { kind: 'skipped', reason: 'robots' } },
            {
              task: { ...r, attempts: { url: 2, proxy: 0, waits: 1 }, waitedMs: 50, threadDeaths: 1 },
              fate: { kind: 'retry', notBeforeMs: 0, charge: 'url' },
            },
            { task: m, fate: { kind: 'moved', to } },
          ],
          output: { sequence: 1, position: { items: { bytes: 10, lines: 1, crc: 7 }, dead: position } },
        }),
      )
      await store.writeMeta('job', 'signature')
    }
    await using store = await open(path)
    expect(store.meta).toEqual({ job: 'signature' })
    expect(store.recovered).toMatchObject({
      done: 1,
      failed: 1,
      skips: { robots: 1 },
      pending: 3,
      positions: { items: { bytes: 10, lines: 1, crc: 7 } },
    })
    expect(await store.load(10)).toMatchObject([
      { url: retried.url, attempts: { url: 2, proxy: 0, waits: 1 }, waitedMs: 50, threadDeaths: 1 },
      { url: 'http://a.test/elsewhere', askedUrl: moved.url, hops: [moved.id] },
      { url: fresh.url, page: fresh.page, depth: fresh.depth, session: 's', geo: 'fr', meta: { a: [1] }, priority: -3 },
    ])
    expect(await store.load(10)).toEqual([])
    for (const task of [done, dead, skipped, retried, moved, fresh]) expect(store.has(task.id), task.url).toBe(true)
    expect(store.has('http://a.test/elsewhere')).toBe(true)
  })

  test('knows URLs of sessions by their key in the next process, and those they were redirected from', async () => {
    const path = next()
    const elsewhere = taskInSession('http://b.test/9')
    {
      await using store = await open(path)
      const put = store.put(['1', '2', '3'].map(name => taskInSession(`http://a.test/${name}`)))
      const [done, moved] = put
      if (done === undefined || moved === undefined) throw new Error('not put')
      const to = { ...elsewhere, hops: [moved.id], ...(moved.row !== undefined && { row: moved.row }) }
      store.put([to])
      const fates: StoreBatch['fates'] = [
        { task: done, fate: { kind: 'done' } },
        { task: moved, fate: { kind: 'moved', to } },
      ]
      await store.commit(batch({ links: put, fates }))
    }
    await using store = await open(path)
    const keys = ['a.test/1', 'a.test/2', 'a.test/3', 'b.test/9', 'a.test/4'].map(place => taskOf(`http://${place}`).id)
    expect(keys.map(key => store.hasKey(key))).toEqual([true, true, true, true, false])
    expect(keys.map(key => store.has(key))).toEqual([false, false, false, false, false])
  })

  test('knows nothing of what was not committed', async () => {
    const path = next()
    {
      await using store = await open(path)
      store.put(tasksOf('a.test', 3))
    }
    await using store = await open(path)
    expect(store.recovered.pending).toBe(0)
    expect(store.known).toBe(0)
  })

  test('loads many in parts, in their order', async () => {
    const path = next()
    {
      await using store = await open(path)
      await store.commit(batch({ links: store.put(tasksOf('a.test', 250)) }))
    }
    await using store = await open(path)
    const parts = [await store.load(100), await store.load(100), await store.load(100), await store.load(100)]
    expect(parts.map(({ length }) => length)).toEqual([100, 100, 50, 0])
    expect(idsOf(parts.flat())).toEqual(idsOf(tasksOf('a.test', 250)))
  })

  test('refuses a second process, or run, on the same file', async () => {
    const path = next()
    await using _first = await open(path)
    await expect(open(path)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('another run'),
    })
  })

  test('says that a file is no database', async () => {
    const { writeFile } = await import('node:fs/promises')
    const path = next()
    await writeFile(path, 'this is not SQLite, whatever its name says: '.repeat(100))
    await expect(open(path)).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining(path) })
  })
})
