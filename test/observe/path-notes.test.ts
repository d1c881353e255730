import { expect, test } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { createEvents } from '../../src/core/events.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import { hostKey } from '../../src/core/url.ts'
import { gatherPathNotes } from '../../src/observe/path-notes.ts'

const host = hostKey(new URL('http://a.test/'))

function taskOf(path: string): Task {
  const url = `http://a.test${path}`
  return newTask(url, new URL(url), 'page')
}

/** What was noted after these requests: a path, and how each ended. */
function notesAfter(run: string, steps: readonly (readonly [path: string, code: ErrorCode | null])[]) {
  const events = createEvents(run)
  using notes = gatherPathNotes(run)
  for (const [path, code] of steps)
    events.emit('task.fetched', () => ({
      task: taskOf(path),
      outcome: code === null ? 'page' : 'failed',
      code,
      status: null,
      timing: null,
      bodyBytes: 0,
      heldMs: 1,
    }))
  return notes.of(host)
}
const late = 'RESPONSE_TIMEOUT'

test('three time-outs in a row under one first step of the path are noted once, whatever else goes on (L10)', () => {
  const row = ['/slow/1', '/slow/2', '/slow/deep/3', '/slow/4'].flatMap(
    path =>
      [
        [path, late],
        ['/shop/1', null],
      ] as const,
  )
  expect(notesAfter('notes-1', row)).toEqual(['3 time-outs in a row under /slow/'])
})

test('an answer in between breaks the row; a stopped request does not count at all', () => {
  const broken = [
    ['/s/1', late],
    ['/s/2', late],
    ['/s/3', null],
    ['/s/4', late],
    ['/s/5', late],
  ] as const
  expect(notesAfter('notes-2', broken)).toEqual([])
  const stopped = [
    ['/s/1', late],
    ['/s/2', late],
    ['/s/3', 'ABORTED'],
    ['/s/4', late],
  ] as const
  expect(notesAfter('notes-3', stopped)).toEqual(['3 time-outs in a row under /s/'])
})

test('pages at the top of a host are one part of it', () => {
  expect(
    notesAfter('notes-4', [
      ['/a', late],
      ['/b', late],
      ['/c?d=/e/', late],
    ]),
  ).toEqual(['3 time-outs in a row under /'])
})
