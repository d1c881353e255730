import { type ErrorCode, type Fault, faultOf } from '../core/errors.ts'
import type { Reading } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'
import { type AskedWaits, newAskedWaits, whyNotAwaited } from './asked-waits.ts'

/**
 * When to stop waiting for a host that is dead. A limiter parks such a host and probes it with one request at a time,
 * ever more seldom; but each probe costs one attempt of one URL, and a thousand URLs would take days to end. So
 *
 *     given up   when 5 requests in a row or more went wrong, the first of them as long ago as a URL may be kept
 *                waiting, at least a minute; a minute, where not one byte of an answer ever came from this host
 *     then       its URLs end with that reason, without being asked for, for ten minutes; after that one may go, and is
 *                the next probe: an answer closes the circuit, another failure opens it again at once
 *
 * A minute outlives the restart of a server. What a URL may be kept waiting is `retries.totalWaitMs`: no URL of a host
 * that does not answer at all should wait longer than one of a host that says "wait". What a host that says so may ask
 * for is in asked-waits.ts.
 */
export interface Circuit {
  failures: number
  failingSinceMs: number
  lastCode: ErrorCode
  /** A byte came from this host at some time. */
  isHeard: boolean
  givenUpUntilMs: number
  readonly asked: AskedWaits
}

const fewestFailures = 5
const shortestMs = 60_000
const givenUpForMs = 600_000

export const newCircuit = (): Circuit => ({
  failures: 0,
  failingSinceMs: 0,
  lastCode: 'CONNECT_FAILED',
  isHeard: false,
  givenUpUntilMs: 0,
  asked: newAskedWaits(),
})

/** A reading names no code, for which a limiter has no use; this one says what it was like. */
function codeOf({ verdict, firstByteMs, retryAfterMs }: Reading): ErrorCode {
  if (verdict === 'refused' || (retryAfterMs ?? 0) > 0) return 'THROTTLED'
  if (verdict === 'timeout') return 'RESPONSE_TIMEOUT'
  return firstByteMs === null ? 'CONNECT_FAILED' : 'SERVER_ERROR'
}

/** True: the host is given up with this answer. */
export function noteOutcome(circuit: Circuit, reading: Reading, nowMs: number, patienceMs: number): boolean {
  const { verdict, firstByteMs } = reading
  if (verdict === 'ignored') return false
  if (firstByteMs !== null) circuit.isHeard = true
  if (verdict === 'good') {
    circuit.failures = 0
    circuit.givenUpUntilMs = 0
    return false
  }
  if (circuit.failures === 0) circuit.failingSinceMs = nowMs
  circuit.failures += 1
  circuit.lastCode = codeOf(reading)
  const enoughMs = circuit.isHeard ? Math.max(shortestMs, patienceMs) : shortestMs
  const isDead = circuit.failures >= fewestFailures && nowMs - circuit.failingSinceMs >= enoughMs
  if (!isDead || circuit.givenUpUntilMs > nowMs) return false
  circuit.givenUpUntilMs = nowMs + givenUpForMs
  return true
}

/** For whichever of the two reasons holds longer. */
export const givenUpUntilMs = (circuit: Circuit): number =>
  Math.max(circuit.givenUpUntilMs, circuit.asked.givenUpUntilMs)

export const isGivenUp = (circuit: Circuit, nowMs: number): boolean => givenUpUntilMs(circuit) > nowMs

const isNotAwaited = ({ asked }: Circuit, nowMs: number): boolean => asked.givenUpUntilMs > nowMs

const minutes = (durationMs: number): string => `${Math.max(1, Math.round(durationMs / 60_000))} min`

export function whyGivenUp(circuit: Circuit, nowMs: number): string {
  if (isNotAwaited(circuit, nowMs)) return whyNotAwaited(circuit.asked)
  const { failures, failingSinceMs } = circuit
  return `given up: the last ${failures} requests went wrong, for ${minutes(nowMs - failingSinceMs)}`
}

/** How a URL ends that is not asked for any more. */
export function givenUpFault(circuit: Circuit, { url, host }: Task, nowMs: number): Fault {
  const code = isNotAwaited(circuit, nowMs) ? 'THROTTLED' : circuit.lastCode
  return faultOf(code, `${url} was not asked for: ${host} was ${whyGivenUp(circuit, nowMs)}`)
}
