import type { Sample } from './limiter.ts'

/** Answers in a row to requests that were granted under one and the same limit, and what they have in common. */
export interface AnswerWindow {
  /** Answers to requests granted before are of the window before. */
  sinceMs: number
  answers: number
  bad: number
  /** Of requests that were granted while the limit was really used. */
  used: number
  timed: number
  sumMs: number
}

const usedRatio = 0.8

/** At least 0.8 of the limit was in flight: only then does a good answer say that the limit is not too high. */
export const isUsed = ({ inFlight }: Sample, limit: number): boolean => inFlight >= usedRatio * Math.floor(limit)

export const newAnswerWindow = (): AnswerWindow => ({
  sinceMs: Number.NEGATIVE_INFINITY,
  answers: 0,
  bad: 0,
  used: 0,
  timed: 0,
  sumMs: 0,
})

/** Empties it: something was decided on it. */
export function beginWindow(window: AnswerWindow, sinceMs: number): void {
  Object.assign(window, newAnswerWindow(), { sinceMs })
}

/** False: it belongs to the window before. */
export function countAnswer(window: AnswerWindow, sample: Sample, limit: number, isBad: boolean): boolean {
  const { startedMs, firstByteMs } = sample
  if (startedMs < window.sinceMs) return false
  window.answers += 1
  if (isBad) window.bad += 1
  if (isUsed(sample, limit)) window.used += 1
  if (firstByteMs !== null && !isBad) {
    window.timed += 1
    window.sumMs += firstByteMs
  }
  return true
}

export const badShare = ({ bad, answers }: AnswerWindow): number => (answers === 0 ? 0 : bad / answers)

/** Half of its requests at least were granted under a limit that was used. */
export const wasUsed = ({ used, answers }: AnswerWindow): boolean => 2 * used >= answers

/** Of the good answers; below a millisecond one measures one's own event loop. Null: none was timed. */
export const meanMs = ({ sumMs, timed }: AnswerWindow): number | null =>
  timed === 0 ? null : Math.max(1, sumMs / timed)
