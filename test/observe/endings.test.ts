import { expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import { createEvents } from '../../src/core/events.ts'
import type { Fate } from '../../src/core/fate.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import { gatherEndings } from '../../src/observe/endings.ts'
import { noWaits } from '../analyse/profile.ts'

const taskOf = (nth: number, host = 'a.test'): Task =>
  newTask(String(nth), new URL(`http://u:p@${host}/${nth}`), 'page')
const answered = { outcome: 'page', code: null, status: 200, timing: null, bodyBytes: 1 } as const

function started() {
  let nowMs = 0
  const events = createEvents(`endings ${expect.getState().currentTestName}`)
  const endings = gatherEndings(
    events.run,
    () => nowMs,
    () => ({ waitMs: noWaits, parseMs: nowMs, keepMs: 0 }),
  )
  events.emit('run.started', () => ({ name: 'x', atMs: 0 }))
  /** A visit that begins now: asked for, read and ended after so long each. */
  function visit(task: Task, fate: Fate, askedMs = 10, readMs = 0): void {
    events.emit('task.admitted', () => ({ task, hostInFlight: 1 }))
    events.emit('visit.started', () => ({ task }))
    nowMs += askedMs
    events.emit('task.fetched', () => ({ ...answered, task, heldMs: askedMs }))
    nowMs += readMs
    events.emit('task.settled', () => ({ task, fate }))
    events.emit('visit.ended', () => ({ task }))
  }
  return { events, endings, visit, later: (ms: number) => (nowMs += ms), now: () => nowMs }
}

const retry = (charge: 'url' | 'wait' | 'proxy', notBeforeMs: number): Fate => ({ kind: 'retry', charge, notBeforeMs })

test('every moment belongs to one phase, and a silence to what was done first after it', () => {
  const { endings, visit, later, now } = started()
  later(5)
  visit(taskOf(1), retry('url', 0), 10, 3)
  later(100)
  visit(taskOf(1), retry('wait', 0))
  later(1_000)
  visit(taskOf(1), retry('proxy', 0))
  later(50)
  visit(taskOf(1), { kind: 'done' })
  const { spent, ended, durationMs } = endings.read(now(), 0)
  expect(spent.phases).toEqual({ asking: 40, reading: 3, backoff: 100, askedToWait: 1_000, otherProxy: 50, idle: 5 })
  expect({ ended, durationMs }).toEqual({ ended: 1, durationMs: 1_198 })
})

test('a run that is stopped while a URL waits to be tried again waited for that', () => {
  const { endings, visit, later, now } = started()
  visit(taskOf(1), retry('wait', 60_000))
  later(500)
  expect(endings.read(now(), 1).spent.phases).toMatchObject({ asking: 10, askedToWait: 500, idle: 0 })
})

test('the latest endings are kept in order, with what became of each and without credentials', () => {
  const { endings, visit, now } = started()
  for (let nth = 0; nth < 100; nth += 1) visit(taskOf(nth), { kind: 'done' })
  visit(taskOf(100), { kind: 'dead', fault: faultOf('SERVER_ERROR', 'x'), status: 500 })
  visit(taskOf(101), { kind: 'skipped', reason: 'noindex' })
  const { last, requests } = endings.read(now(), 0)
  expect(last).toHaveLength(64)
  expect(requests.map(({ url }) => url)).toEqual(last.map(({ url }) => url))
  expect(last.map(({ nth }) => nth)).toEqual(Array.from({ length: 64 }, (_, at) => at + 39))
  expect(last.slice(-3)).toMatchObject([
    { url: 'http://a.test/99', end: 'done' },
    { url: 'http://a.test/100', end: 'SERVER_ERROR' },
    { url: 'http://a.test/101', end: 'noindex', atMs: 1_020, nth: 102 },
  ])
})

test('each host has its last ending, and hosts beyond ten thousand have one together', () => {
  const { endings, visit, now } = started()
  for (let nth = 0; nth < 10_050; nth += 1) visit(taskOf(nth, `h${nth}.test`), { kind: 'done' }, 1)
  visit(taskOf(1, 'h7.test'), { kind: 'done' }, 1)
  const { hosts } = endings.read(now(), 0)
  expect(hosts).toHaveLength(10_001)
  expect(hosts.find(({ host }) => host === 'h7.test')).toMatchObject({ nth: 10_051 })
  expect(hosts.find(({ host }) => host === 'other hosts')).toMatchObject({ nth: 10_050 })
})

test('what was spent lags behind by a small part of the run', () => {
  const { endings, visit, now } = started()
  for (let nth = 0; nth < 2_000; nth += 1) visit(taskOf(nth), { kind: 'done' })
  for (const { atMs, spent } of endings.read(now(), 0).last) {
    expect(spent.phases.asking).toBeGreaterThan(atMs * (1 - 1 / 128))
    expect(spent.phases.asking).toBeLessThanOrEqual(atMs)
  }
})
