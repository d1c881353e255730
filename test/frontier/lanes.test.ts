import { expect, test } from 'vitest'
import { newTask } from '../../src/core/task.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createLanes } from '../../src/frontier/lanes.ts'

const hostOf = (name: string): HostKey => newTask(name, new URL(`http://${name}.test/`), 'page').host
const [small, large] = [hostOf('small'), hostOf('large')]

/** Two hosts with endless tasks, the first of which can work at two requests. */
function rig(mostOfSmall: number) {
  const asked: (readonly [HostKey, number])[] = []
  const taken = new Map<HostKey, number>()
  const lanes = createLanes(
    () => 0,
    (host, more) => {
      asked.push([host, more])
      return host === small && (taken.get(small) ?? 0) + more >= mostOfSmall
    },
  )
  for (const host of [small, large])
    for (let nth = 0; nth < 100; nth += 1)
      lanes.pushLast(newTask(`${host}${nth}`, new URL(`http://${host}/${nth}`), 'page'))
  return {
    lanes,
    asked,
    taken,
    take(times: number, mostOfLarge = Number.POSITIVE_INFINITY): void {
      for (let nth = 0; nth < times; nth += 1) {
        const ready = (host: HostKey): number =>
          host === large && (taken.get(large) ?? 0) >= mostOfLarge ? Number.POSITIVE_INFINITY : 0
        const task = lanes.next(0, ready)
        if (task !== null) taken.set(task.host, (taken.get(task.host) ?? 0) + 1)
      }
    },
    end(host: HostKey): void {
      taken.set(host, (taken.get(host) ?? 0) - 1)
      lanes.end(host)
    },
  }
}

test('of few places all hosts get as many, where none has enough', () => {
  const { taken, take } = rig(Number.POSITIVE_INFINITY)
  take(12)
  expect([taken.get(small), taken.get(large)]).toEqual([6, 6])
})

test('a host that has enough goes after those that have not', () => {
  const { taken, take } = rig(2)
  take(12)
  expect([taken.get(small), taken.get(large)]).toEqual([2, 10])
})

test('places that nobody else can use go to a host that has enough', () => {
  const { taken, take } = rig(2)
  take(12, 4)
  expect([taken.get(small), taken.get(large)]).toEqual([8, 4])
})

test('a host that has enough is in its turn again when it gave one back', () => {
  const { taken, take, end, lanes } = rig(2)
  take(12)
  end(small)
  take(1)
  expect(taken.get(small)).toBe(2)
  // The request has ended, and its page is still to be kept.
  taken.set(small, 1)
  lanes.wake(small)
  take(1)
  expect(taken.get(small)).toBe(2)
})

test('nobody asks whether a host with nothing under way has enough', () => {
  const { asked, take } = rig(2)
  expect(asked).toEqual([])
  take(2)
  expect(asked.every(([, more]) => more === 1)).toBe(true)
})
