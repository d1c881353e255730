import { expect, test } from 'vitest'
import { createSyncing } from '../../src/frontier/stores/syncing.ts'
import { createSimClock } from '../sim/clock.ts'

test('the first commit is synced itself, and then one a second at most', async () => {
  const clock = createSimClock()
  using syncing = createSyncing(clock, () => {})
  const synced: number[] = []
  for (let nth = 0; nth < 50; nth += 1) {
    if (syncing.begin()) synced.push(clock.nowMs())
    await clock.advance(90)
  }
  for (const [nth, atMs] of synced.entries())
    if (nth > 0) expect(atMs - (synced[nth - 1] ?? 0)).toBeGreaterThanOrEqual(990)
  expect(synced.length).toBeLessThanOrEqual(5)
})

test('a commit that none follows is synced within a second of the one before', async () => {
  const clock = createSimClock()
  const lateSyncs: number[] = []
  using syncing = createSyncing(clock, () => lateSyncs.push(clock.nowMs()))
  expect(syncing.begin()).toBe(true)
  await clock.advance(400)
  expect(syncing.begin()).toBe(false)
  await clock.advance(5_000)
  expect(lateSyncs).toEqual([1_000])
})

test('a sync that fails ends nothing: the next commit is synced itself, and tells', async () => {
  const clock = createSimClock()
  using syncing = createSyncing(clock, () => {
    throw new Error('disk is full')
  })
  syncing.begin()
  syncing.begin()
  await clock.advance(1_500)
  expect(syncing.begin()).toBe(true)
})

test('nothing is synced after the end', async () => {
  const clock = createSimClock()
  let lateSyncs = 0
  const syncing = createSyncing(clock, () => {
    lateSyncs += 1
  })
  syncing.begin()
  syncing.begin()
  syncing[Symbol.dispose]()
  await clock.advance(5_000)
  expect(lateSyncs).toBe(0)
  expect(clock.pendingTimers).toBe(0)
})
