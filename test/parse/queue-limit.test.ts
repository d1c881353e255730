import { expect, test } from 'vitest'
import { createLine } from '../../src/parse/batch.ts'
import { createQueueLimit } from '../../src/parse/queue-limit.ts'
import { createSimClock } from '../sim/clock.ts'

/** A line whose pages may wait a second, and what became of those that did. */
function limited() {
  const clock = createSimClock()
  const line = createLine<ReturnType<typeof page>>(1)
  const ended: string[] = []
  const page = (name: string) => ({
    name,
    enteredMs: clock.nowMs(),
    bodyBytes: 1,
    isSuspect: false,
    isSettled: false,
  })
  const limit = createQueueLimit({
    line,
    clock,
    queueMs: 1_000,
    end: ({ name }, waitedMs) => ended.push(`${name} after ${waitedMs} at ${clock.nowMs()}`),
  })
  function push(name: string): void {
    line.push(page(name))
    limit.watch()
  }
  return { clock, line, limit, ended, push }
}

test('each page that nobody takes ends when its own time is up', async () => {
  const { clock, line, ended, push } = limited()
  for (const name of ['a', 'b', 'c']) {
    push(name)
    await clock.advance(300)
  }
  await clock.advance(5_000)
  expect(ended).toEqual(['a after 1000 at 1000', 'b after 1000 at 1300', 'c after 1000 at 1600'])
  expect(line.isEmpty).toBe(true)
  expect(clock.pendingTimers).toBe(0)
})

test('a page that is taken in time does not, and those behind it have no less', async () => {
  const { clock, line, limit, ended, push } = limited()
  push('a')
  await clock.advance(900)
  push('b')
  expect(line.take().map(({ name }) => name)).toEqual(['a'])
  await clock.advance(5_000)
  expect(ended).toEqual(['b after 1000 at 1900'])
  limit.watch()
  expect(clock.pendingTimers).toBe(0)
})

test('where nobody waits no timer is set, so that it keeps no process alive', async () => {
  const { clock, line, limit, push } = limited()
  push('a')
  expect(clock.pendingTimers).toBe(1)
  line.take()
  limit.watch()
  expect(clock.pendingTimers).toBe(0)
})

test('a page that comes back late ends with the next look', async () => {
  const { clock, line, limit, ended, push } = limited()
  push('a')
  const taken = line.take()
  limit.watch()
  await clock.advance(3_000)
  line.putBack(taken)
  limit.watch()
  await clock.advance(0)
  expect(ended).toEqual(['a after 3000 at 3000'])
})
