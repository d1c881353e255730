import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullBucket, takeToken, tokenAtMs } from '../../src/pace/bucket.ts'

const rate = { tokensPerSecond: 10, burst: 20 }

function takenUntil(bucket = fullBucket(), fromMs = 0, untilMs = 0): number {
  let taken = 0
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs = Math.max(nowMs, tokenAtMs(bucket, rate))) {
    takeToken(bucket, rate, nowMs)
    taken += 1
  }
  return taken
}

test('a full bucket gives its burst at once, and then one token each interval', () => {
  expect(takenUntil()).toBe(20)
  expect(takenUntil(fullBucket(), 0, 1_000)).toBe(30)
})

test('nothing is saved beyond the burst, however long nobody takes', () => {
  const bucket = fullBucket()
  takenUntil(bucket)
  expect(takenUntil(bucket, 3_600_000, 3_600_000)).toBe(20)
})

test('in no window of time do more tokens go than the burst and what the window brings', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { maxLength: 200 }), gapsMs => {
      const bucket = fullBucket()
      const takenMs: number[] = []
      let nowMs = 0
      for (const gapMs of gapsMs) {
        nowMs = Math.max(nowMs + gapMs, tokenAtMs(bucket, rate))
        takeToken(bucket, rate, nowMs)
        takenMs.push(nowMs)
      }
      for (const fromMs of takenMs) {
        const inWindow = takenMs.filter(atMs => atMs >= fromMs && atMs <= fromMs + 1_000).length
        expect(inWindow).toBeLessThanOrEqual(rate.burst + rate.tokensPerSecond)
      }
    }),
  )
})
