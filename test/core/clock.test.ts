import { afterEach, expect, test, vi } from 'vitest'
import { realClock } from '../../src/core/clock.ts'

afterEach(() => void vi.useRealTimers())

test('the wall time is ISO text to the millisecond, whatever second was asked for before', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const times = ['2026-11-29T19:20:11.000Z', '2026-11-29T19:20:11.007Z', '2026-11-29T19:20:12.999Z']
  for (const time of [...times, '1969-12-31T23:59:59.250Z', ...times, '2027-01-01T00:00:00.045Z']) {
    vi.setSystemTime(new Date(time))
    expect(realClock.wallIso()).toBe(time)
  }
})
