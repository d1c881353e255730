import { expect, test } from 'vitest'
import { createLedger } from '../../src/core/ledger.ts'
import type { Task } from '../../src/core/task.ts'
import { createFrontier } from '../../src/frontier/create-frontier.ts'
import { memory } from '../../src/frontier/stores/memory.ts'
import { createSimClock } from '../sim/clock.ts'
import { tasksOf } from './tasks.ts'

const open = (): number => 0
const blocked = (): number => Number.POSITIVE_INFINITY

const frontierWith = (isAtHand: (task: Task) => boolean) =>
  createFrontier({ clock: createSimClock(), store: memory(), ledger: createLedger(), isAtHand })

test('a task whose answer is at hand waits for no host, and counts as every other', () => {
  const [first, second, third] = tasksOf('a.test', 3)
  const frontier = frontierWith(task => task.id === second?.id)
  frontier.add([first, second, third].filter(task => task !== undefined))
  expect(frontier.take(blocked)).toMatchObject({ kind: 'wait' })
  expect(frontier.find(second?.id ?? '')).toMatchObject({ kind: 'at-hand', task: { id: second?.id } })
  const task = frontier.takeAtHand()
  expect(task?.id).toBe(second?.id)
  expect(frontier.find(second?.id ?? '')).toMatchObject({ kind: 'leased' })
  expect(frontier.takeAtHand()).toBeNull()
  expect(frontier.size).toMatchObject({ queued: 2, leased: 1 })
  if (task !== null) frontier.settle(task, { kind: 'done' })
  expect(frontier.counts).toMatchObject({ discovered: 3, done: 1, pending: 2 })
})

test('one whose answer is gone after all goes to its host', () => {
  let isGone = false
  const frontier = frontierWith(() => !isGone)
  frontier.add(tasksOf('a.test', 1))
  const task = frontier.takeAtHand()
  isGone = true
  if (task !== null) frontier.settle(task, { kind: 'retry', notBeforeMs: 0, charge: 'none' })
  expect(frontier.takeAtHand()).toBeNull()
  expect(frontier.take(open)).toMatchObject({ kind: 'task', task: { id: task?.id, attempts: { url: 0 } } })
})

test('a frontier is not done while an answer is at hand', () => {
  const frontier = frontierWith(() => true)
  frontier.add(tasksOf('a.test', 2))
  expect(frontier.take(open)).toMatchObject({ kind: 'wait' })
  for (let task = frontier.takeAtHand(); task !== null; task = frontier.takeAtHand())
    frontier.settle(task, { kind: 'done' })
  expect(frontier.take(open)).toEqual({ kind: 'done' })
})
