import { expect, test } from 'vitest'
import { createEvents, type EventMap } from '../../src/core/events.ts'
import { newTask } from '../../src/core/task.ts'
import { gatherRunStats } from '../../src/observe/run-stats.ts'

const parsed: EventMap['page.parsed'] = {
  task: newTask('a', new URL('http://a.test/'), 'page'),
  code: null,
  bodyBytes: 1,
  decodedBytes: 0,
  items: 0,
  links: 0,
  parseMs: 5_200,
  queuedMs: 200,
  cpuMs: 0,
  parts: { decodeMs: 0, serialiseMs: 0 },
  engine: null,
  audit: null,
  brokenBlocks: 0,
}

test('a thread was busy with a page that it was ended for, though the page says no time of its own', () => {
  const events = createEvents('run-stats-ended')
  using stats = gatherRunStats(events.run)
  events.emit('page.parsed', () => parsed)
  events.emit('page.parsed', () => ({ ...parsed, parseMs: 30, queuedMs: 8, cpuMs: 20, engine: 'stream' }))
  expect(stats.stages).toMatchObject({ parse: 5_230, parseQueue: 208, parseBusy: 5_020 })
})

test('what a page makes a write longer is told apart from what each write takes', () => {
  const events = createEvents('run-stats-writes')
  using stats = gatherRunStats(events.run)
  expect(stats.sinkPageMs()).toBe(null)
  for (let nth = 0; nth < 40; nth += 1) events.emit('page.parsed', () => parsed)
  for (const items of [1, 9, 2, 8, 3, 7, 4, 6, 0])
    events.emit('sink.wrote', () => ({ items, bytes: 1, latencyMs: items === 0 ? 1 : 400 + 3 * items }))
  expect(stats.sinkPageMs()).toBeCloseTo(3, 9)
})
