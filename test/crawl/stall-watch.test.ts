import { expect, test } from 'vitest'
import { createStallWatch } from '../../src/crawl/stall-watch.ts'

/** A loop whose turns take as long as the test says: what falls due meanwhile comes after the turn, and not before. */
function createLoop() {
  let nowMs = 0
  let due: { readonly atMs: number; readonly run: () => void } | null = null
  const turn = (durationMs: number, beforeTimers = (): void => {}): void => {
    nowMs += durationMs
    beforeTimers()
    if (due === null || due.atMs > nowMs) return
    const { run } = due
    due = null
    run()
  }
  return {
    nowMs: () => nowMs,
    after(durationMs: number, run: () => void): Disposable {
      if (due !== null) throw new Error('one timer is enough')
      const timer = { atMs: nowMs + durationMs, run }
      due = timer
      return {
        [Symbol.dispose]() {
          if (due === timer) due = null
        },
      }
    },
    turn,
    idle(durationMs: number): void {
      for (let ms = 0; ms < durationMs; ms += 1) turn(1)
    },
    get hasTimer() {
      return due !== null
    },
  }
}

const everyMs = Array.from({ length: 120 }, (_, ms) => ms)

test('a block of 100 ms is noticed, whenever it begins', () => {
  for (const beginMs of everyMs) {
    const loop = createLoop()
    const span = createStallWatch(loop).begin()
    loop.idle(beginMs)
    expect(span.hasStalled(), `before a block at ${beginMs} ms`).toBe(false)
    loop.turn(100)
    loop.idle(300)
    expect(span.hasStalled(), `after a block at ${beginMs} ms`).toBe(true)
  }
})

test('it is noticed by a request that is answered before any timer has its turn', () => {
  const loop = createLoop()
  const watch = createStallWatch(loop)
  const spans = [watch.begin(), watch.begin()]
  loop.idle(30)
  loop.turn(100, () => expect(spans.map(span => span.hasStalled())).toEqual([true, true]))
  loop.turn(1)
  expect(watch.begin().hasStalled()).toBe(false)
})

test('a loop that is busy with turns of up to 45 ms is not blocked', () => {
  for (const turnMs of [1, 7, 20, 33, 45]) {
    const loop = createLoop()
    const span = createStallWatch(loop).begin()
    for (let turn = 0; turn < 2_000; turn += 1) loop.turn(turnMs)
    expect(span.hasStalled(), `turns of ${turnMs} ms`).toBe(false)
  }
})

test('a block counts for the requests that it fell upon, and for none after them', () => {
  const loop = createLoop()
  const watch = createStallWatch(loop)
  const struck = watch.begin()
  loop.turn(150)
  const later = watch.begin()
  loop.idle(200)
  expect([struck.hasStalled(), later.hasStalled()]).toEqual([true, false])
})

test('without a request there is no timer, and a block then counts for nobody', () => {
  const loop = createLoop()
  const watch = createStallWatch(loop)
  const [one, other] = [watch.begin(), watch.begin()]
  one[Symbol.dispose]()
  // Ends once, however often it is told to.
  one[Symbol.dispose]()
  expect(loop.hasTimer).toBe(true)
  other[Symbol.dispose]()
  expect(loop.hasTimer).toBe(false)
  loop.turn(5_000)
  const span = watch.begin()
  loop.idle(200)
  expect(span.hasStalled()).toBe(false)
})
