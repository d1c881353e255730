import { describe, expect, test } from 'vitest'
import type { Reading } from '../../src/core/outcome.ts'
import { newTask } from '../../src/core/task.ts'
import { givenUpFault, isGivenUp, newCircuit, noteOutcome } from '../../src/gate/circuit.ts'
import { good, refused } from './rig.ts'

const silent: Reading = { ...good, verdict: 'timeout', firstByteMs: null }
const error: Reading = { ...good, verdict: 'error' }
const patienceMs = 600_000

/** One reading each so many milliseconds; when the host was given up, or null. */
function givenUpAtMs(readings: readonly Reading[], everyMs: number): number | null {
  const circuit = newCircuit()
  for (const [nth, reading] of readings.entries())
    if (noteOutcome(circuit, reading, nth * everyMs, patienceMs)) return nth * everyMs
  return null
}
const many = (reading: Reading, count = 1_000): readonly Reading[] => Array.from({ length: count }, () => reading)

describe('a host', () => {
  test('that never sent a byte is given up after a minute', () => {
    expect(givenUpAtMs(many(silent), 5_000)).toBe(60_000)
  })

  test('that was heard once is given up after as long as a URL may be kept waiting', () => {
    expect(givenUpAtMs([good, ...many(silent)], 5_000)).toBe(605_000)
    expect(givenUpAtMs(many(refused), 5_000)).toBe(600_000)
    expect(givenUpAtMs(many(error), 5_000)).toBe(600_000)
  })

  test('is not given up for a few failures, however long ago the first', () => {
    expect(givenUpAtMs(many(silent, 4), 3_600_000)).toBeNull()
  })

  test('that answers now and then is never given up', () => {
    const readings = many(silent).map((reading, nth) => (nth % 50 === 0 ? good : reading))
    expect(givenUpAtMs(readings, 5_000)).toBeNull()
  })

  test.each([
    ['says nothing', silent, 'RESPONSE_TIMEOUT'],
    ['fails', error, 'SERVER_ERROR'],
    ['fails and asks to wait', { ...error, retryAfterMs: 1_000 }, 'THROTTLED'],
    ['refuses', refused, 'THROTTLED'],
  ] as const)('that %s ends its URLs by that reason', (_what, reading, code) => {
    const circuit = newCircuit()
    for (let nowMs = 0; nowMs <= patienceMs; nowMs += 5_000) noteOutcome(circuit, reading, nowMs, patienceMs)
    const url = 'http://shop.test/'
    expect(givenUpFault(circuit, newTask(url, new URL(url), 'page'), patienceMs).code).toBe(code)
  })

  test('is not blamed for what is ignored', () => {
    expect(givenUpAtMs(many({ ...silent, verdict: 'ignored' }), 5_000)).toBeNull()
  })

  test('may be asked again after ten minutes; a failure gives it up anew, an answer takes it back', () => {
    const circuit = newCircuit()
    for (let nowMs = 0; nowMs <= 60_000; nowMs += 5_000) noteOutcome(circuit, silent, nowMs, patienceMs)
    expect([isGivenUp(circuit, 600_000), isGivenUp(circuit, 661_000)]).toEqual([true, false])
    expect(noteOutcome(circuit, silent, 661_000, patienceMs)).toBe(true)
    noteOutcome(circuit, good, 700_000, patienceMs)
    expect(isGivenUp(circuit, 700_000)).toBe(false)
    expect(noteOutcome(circuit, silent, 800_000, patienceMs)).toBe(false)
  })
})
