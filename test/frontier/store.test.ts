import { describe, expect, test } from 'vitest'
import { stores } from '../../src/frontier/stores/index.ts'
import { taskOf, tasksOf } from './tasks.ts'

/** What every task store promises; a store that outlives the process adds its own tests of reopening. */
describe.each(Object.entries(stores))('task store %s', (_name, createStore) => {
  test('claims each id once, and gives back the new ones in their order', async () => {
    await using store = createStore()
    const [first, second, third] = tasksOf('a.test', 3) as [ReturnType<typeof taskOf>, never, never]
    expect(store.put([first, second])).toEqual([first, second])
    expect(store.put([third, first])).toEqual([third])
    expect(store.put([first, second, third])).toEqual([])
    expect(store.known).toBe(3)
  })

  test('claims an id once that stands twice in one call', async () => {
    await using store = createStore()
    const task = taskOf('http://a.test/')
    expect(store.put([task, { ...task, depth: 4 }])).toEqual([task])
  })

  test('knows what was put and nothing else', async () => {
    await using store = createStore()
    const task = taskOf('http://a.test/')
    expect(store.has(task.id)).toBe(false)
    store.put([task])
    expect(store.has(task.id)).toBe(true)
    expect(store.has(`${task.id}x`)).toBe(false)
  })

  test('has nothing to load when it is new, nor what this process has put itself', async () => {
    await using store = createStore()
    expect(await store.load(10)).toEqual([])
    store.put(tasksOf('a.test', 3))
    expect(await store.load(10)).toEqual([])
  })

  test('still knows a task whose end was committed', async () => {
    await using store = createStore()
    const task = taskOf('http://a.test/')
    const link = taskOf('http://a.test/next')
    store.put([task, link])
    await store.commit({
      fates: [{ task, fate: { kind: 'done' } }],
      links: [link],
      output: { sequence: 1, position: { items: 120 } },
    })
    expect(store.put([task, link])).toEqual([])
  })

  test('can be closed twice', async () => {
    const store = createStore()
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  test('two stores know nothing of each other', async () => {
    await using one = createStore()
    await using other = createStore()
    one.put([taskOf('http://a.test/')])
    expect(other.known).toBe(0)
  })
})
