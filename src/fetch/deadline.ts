import type { Clock } from '../core/clock.ts'
import type { Timeouts } from '../job/job.ts'
import type { Pulse } from './pulse.ts'

/**
 * The clocks of one attempt.
 *
 * While a request is held back by ourselves, until its turn to leave comes, none of them runs.
 *
 * A body has three: `idleMs` since the last byte, `totalMs` since the attempt began, and a minimum rate. Idle alone
 * lets one byte now and then hold a connection for ever; total alone lets a large page that is well under way die
 * beside a drip; the rate tells them apart. The rate is the average since the first byte and falls below
 * `minBytesPerSecond` at `firstByteAt + bytes / minBytesPerSecond`, but is not asked before `rateGraceMs`.
 *
 * A deadline is judged by when the *socket* had the data, not by when we found time to read it. Timers run before
 * sockets in a turn of the event loop, so after a stall of our own the timer would win over bytes that came long
 * ago. Therefore a timer that finds a deadline passed lets the sockets have one turn and looks again; and the time in
 * which our loop was blocked, as the pulse knows it, is taken off all clocks: a handshake takes several answers of
 * ours, and a stall delays each. That is limited to `totalMs` in all, so that every attempt ends.
 *
 * One timer per attempt. It is armed for the shortest of all limits, before which no deadline can come, and when it
 * fires for what is then next: a phase or a chunk only moves numbers.
 */
export type Limit = 'connectMs' | 'firstByteMs' | 'idleMs' | 'totalMs' | 'minBytesPerSecond' | 'drainMs'

export type Phase = 'connecting' | 'holding' | 'waiting' | 'receiving' | 'draining'

/** Long enough for slow start on a far link, short enough that a drip does not hold its page for the whole total. */
export const rateGraceMs = 10_000

/** How long the body of an answer that is no page may still take before its connection is closed instead. */
export const drainMs = 1_000

export interface Marks {
  phase: Phase
  startedAtMs: number
  phaseAtMs: number
  lastByteAtMs: number
  /** In this phase. */
  bytes: number
}

export interface Due {
  readonly limit: Limit
  readonly atMs: number
}

const earlier = (one: Due, other: Due): Due => (other.atMs < one.atMs ? other : one)

/** The deadline that comes first, were nothing to happen any more. */
export function dueOf(marks: Marks, timeouts: Timeouts): Due {
  const total: Due = { limit: 'totalMs', atMs: marks.startedAtMs + timeouts.totalMs }
  switch (marks.phase) {
    case 'connecting':
      return earlier(total, { limit: 'connectMs', atMs: marks.phaseAtMs + timeouts.connectMs })
    case 'holding':
      return { ...total, atMs: Number.POSITIVE_INFINITY }
    case 'waiting':
      return earlier(total, { limit: 'firstByteMs', atMs: marks.phaseAtMs + timeouts.firstByteMs })
    case 'draining':
      return earlier(total, { limit: 'drainMs', atMs: marks.phaseAtMs + drainMs })
    case 'receiving': {
      const next = earlier(total, { limit: 'idleMs', atMs: marks.lastByteAtMs + timeouts.idleMs })
      if (timeouts.minBytesPerSecond <= 0) return next
      const earnedMs = (marks.bytes / timeouts.minBytesPerSecond) * 1000
      return earlier(next, { limit: 'minBytesPerSecond', atMs: marks.phaseAtMs + Math.max(rateGraceMs, earnedMs) })
    }
    default:
      return marks.phase satisfies never
  }
}

export interface Deadline extends Disposable {
  readonly startedAtMs: number
  /** A phase begins, and its clocks with it. When that was. */
  enter(phase: Phase): number
  /** Bytes came. */
  received(bytes: number): void
}

/** The total clock starts now, and the phase `waiting`. `expire` is called at most once, never after disposing. */
export function createDeadline(
  clock: Clock,
  pulse: Pulse,
  timeouts: Timeouts,
  expire: (limit: Limit) => void,
): Deadline {
  const nowMs = clock.nowMs()
  const marks: Marks = { phase: 'waiting', startedAtMs: nowMs, phaseAtMs: nowMs, lastByteAtMs: nowMs, bytes: 0 }
  const { connectMs, firstByteMs, idleMs, totalMs } = timeouts
  const shortestMs = Math.min(connectMs, firstByteMs, idleMs, totalMs, rateGraceMs)
  let timer: Disposable | null = null
  let turn: NodeJS.Immediate | null = null
  let seenLostMs = pulse.lostMs
  let forgivenMs = 0
  let isOver = false

  function forgiveLostTime(): void {
    const lostMs = Math.min(pulse.lostMs - seenLostMs, timeouts.totalMs - forgivenMs)
    seenLostMs = pulse.lostMs
    forgivenMs += lostMs
    marks.startedAtMs += lostMs
    marks.phaseAtMs += lostMs
    marks.lastByteAtMs += lostMs
  }

  function armIn(durationMs: number): void {
    timer?.[Symbol.dispose]()
    timer = clock.after(durationMs, check)
  }

  function check(): void {
    timer = null
    const leftMs = dueOf(marks, timeouts).atMs - clock.nowMs()
    if (leftMs > 0) armIn(Math.min(leftMs, shortestMs))
    else turn = setImmediate(judge)
  }

  function judge(): void {
    turn = null
    forgiveLostTime()
    const due = dueOf(marks, timeouts)
    const leftMs = due.atMs - clock.nowMs()
    if (leftMs > 0) armIn(Math.min(leftMs, shortestMs))
    else if (!isOver) expire(due.limit)
  }

  armIn(shortestMs)
  return {
    startedAtMs: nowMs,
    enter(phase) {
      forgiveLostTime()
      const atMs = clock.nowMs()
      if (marks.phase === 'holding') marks.startedAtMs += atMs - marks.phaseAtMs
      marks.phase = phase
      marks.phaseAtMs = atMs
      marks.lastByteAtMs = marks.phaseAtMs
      marks.bytes = 0
      if (phase === 'draining' && turn === null) armIn(Math.min(drainMs, shortestMs))
      return marks.phaseAtMs
    },
    received(bytes) {
      marks.lastByteAtMs = clock.nowMs()
      marks.bytes += bytes
    },
    [Symbol.dispose]() {
      isOver = true
      timer?.[Symbol.dispose]()
      if (turn !== null) clearImmediate(turn)
    },
  }
}
