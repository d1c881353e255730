import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { rowOf, type TaskRow, taskOf as taskOfRow } from '../../src/frontier/stores/task-rows.ts'
import { taskOf } from './tasks.ts'

/** The clocks of a process: when it began is unspecified, and its wall may say anything. */
const clockAt = (nowMs: number, wallMs: number): Clock => ({
  nowMs: () => nowMs,
  wallIso: () => new Date(wallMs).toISOString(),
  after: () => ({ [Symbol.dispose]() {} }),
  sleep: async () => {},
})
const noonMs = Date.UTC(2026, 0, 1, 12)
const hourMs = 3_600_000

/** A task that is to wait for a minute, as it is kept. */
const kept = (): TaskRow => rowOf(taskOf('http://a.test/1', { row: 1, notBeforeMs: 65_000 }), clockAt(5_000, noonMs))
/** What of that minute is left in a process that has just begun. */
const leftMs = (wallMs: number, row = kept()): number => taskOfRow(row, clockAt(700, wallMs)).notBeforeMs - 700

describe('the wait of a task that is kept', () => {
  test('goes on in the next process', () => {
    expect(leftMs(noonMs)).toBe(60_000)
    expect(leftMs(noonMs + 20_000)).toBe(40_000)
  })

  test('is over when its time has come, however long ago', () => {
    expect(leftMs(noonMs + 60_000)).toBe(0)
    expect(taskOfRow(kept(), clockAt(700, noonMs + hourMs)).notBeforeMs).toBe(0)
  })

  test('is no longer than it was given, when the clock of the machine was set back meanwhile', () => {
    expect(leftMs(noonMs - hourMs)).toBe(60_000)
    const due = rowOf(taskOf('http://a.test/1', { row: 1, notBeforeMs: 4_000 }), clockAt(5_000, noonMs))
    expect(leftMs(noonMs - hourMs, due)).toBe(0)
  })

  test('leaves nothing on the task but its time', () => {
    const task = taskOf('http://a.test/1', { row: 1, notBeforeMs: 65_000 })
    expect(taskOfRow(rowOf(task, clockAt(5_000, noonMs)), clockAt(5_000, noonMs))).toEqual(task)
  })
})

test('a task that waits for nothing is kept without a time', () => {
  expect(rowOf(taskOf('http://a.test/1', { row: 1 }), clockAt(5_000, noonMs)).record).toBe('{"page":"start"}')
})
