import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newBlockRate, noteBlock, readBlockRate } from '../../src/gate/block-rate.ts'

test('the block rate is that of the last five minutes, and says so', () => {
  const rate = newBlockRate()
  for (let second = 0; second < 600; second += 1) noteBlock(rate, second * 1_000, second >= 300 && second % 2 === 0)
  const { share, answers, windowMs } = readBlockRate(rate, 599_000)
  expect([share, answers, windowMs]).toEqual([0.5, 300, 300_000])
})

test('after a long silence nothing is known', () => {
  const rate = newBlockRate()
  noteBlock(rate, 1_000_000_000, true)
  expect(readBlockRate(rate, 1_000_000_000).share).toBe(1)
  expect(readBlockRate(rate, 1_000_400_000)).toMatchObject({ share: 0, answers: 0 })
})

test('it counts what a list of the answers would', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60_000), fc.boolean())), steps => {
      const rate = newBlockRate()
      const seen: { readonly atMs: number; readonly isBlocked: boolean }[] = []
      let nowMs = 0
      for (const [afterMs, isBlocked] of steps) {
        nowMs += afterMs
        noteBlock(rate, nowMs, isBlocked)
        seen.push({ atMs: nowMs, isBlocked })
      }
      const sinceMs = (Math.floor(nowMs / 50_000) - 5) * 50_000
      const recent = seen.filter(({ atMs }) => atMs >= sinceMs)
      const { answers, share } = readBlockRate(rate, nowMs)
      expect(answers).toBe(recent.length)
      expect(Math.round(share * answers)).toBe(recent.filter(({ isBlocked }) => isBlocked).length)
    }),
  )
})
