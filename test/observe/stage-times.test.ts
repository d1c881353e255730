import { expect, test } from 'vitest'
import { createEvents, type EventMap } from '../../src/core/events.ts'
import { newTask } from '../../src/core/task.ts'
import { gatherStageTimes } from '../../src/observe/stage-times.ts'

const task = newTask('a', new URL('http://a.test/'), 'page')
const fetched = { task, outcome: 'page', code: null, status: 200, bodyBytes: 1, heldMs: 1 } as const
const parsed: EventMap['page.parsed'] = {
  task,
  code: null,
  bodyBytes: 1,
  decodedBytes: 1,
  items: 1,
  links: 0,
  parseMs: 30,
  queuedMs: 8,
  cpuMs: 20,
  parts: { decodeMs: 4, serialiseMs: 1 },
  engine: 'stream',
  audit: null,
  brokenBlocks: 0,
}

test('each stage of a page is told apart, and they add up to its whole', () => {
  const events = createEvents('stage-times')
  using clock = gatherStageTimes('stage-times')
  events.emit('task.fetched', () => ({
    ...fetched,
    timing: { connectMs: 10, tlsMs: 6, firstByteMs: 50, totalMs: 100 },
  }))
  events.emit('page.parsed', () => parsed)
  events.emit('task.kept', () => ({ waitedMs: 70 }))
  const { fetch, parse, commit } = clock.read()
  expect([fetch.connect, fetch.tls, fetch.firstByte, fetch.body].map(({ totalMs }) => totalMs)).toEqual([4, 6, 50, 40])
  expect([parse.queue, parse.decode, parse.extract, parse.serialise].map(({ totalMs }) => totalMs)).toEqual([
    8, 4, 15, 1,
  ])
  expect(commit).toMatchObject({ count: 1, totalMs: 70, maxMs: 70 })
})

test('connections that were there already are no connections, and attempts without an answer have no times', () => {
  const events = createEvents('stage-times-kept')
  using clock = gatherStageTimes('stage-times-kept')
  events.emit('task.fetched', () => ({ ...fetched, timing: { connectMs: 0, firstByteMs: 5, totalMs: 5 } }))
  events.emit('task.fetched', () => ({ ...fetched, outcome: 'failed', timing: null }))
  const { fetch } = clock.read()
  expect([fetch.connect.count, fetch.tls.count, fetch.firstByte.count, fetch.body.count]).toEqual([0, 0, 1, 1])
})

test('waits are kept by their cause', () => {
  const events = createEvents('stage-times-waits')
  using clock = gatherStageTimes('stage-times-waits')
  for (const waitedMs of [10, 20, 30]) events.emit('task.waited', () => ({ cause: 'rate', waitedMs }))
  events.emit('task.waited', () => ({ cause: 'proxy', waitedMs: 5 }))
  const { wait } = clock.read()
  expect(wait.rate).toMatchObject({ count: 3, totalMs: 60, maxMs: 30 })
  expect(wait.proxy.totalMs).toBe(5)
  expect(wait.hostSlot.count).toBe(0)
})
