import type { Env } from '../../src/core/clock.ts'
import { createSimClock, type SimClock } from './clock.ts'

/**
 * Mulberry32 (Tommy Ettinger): a counter in steps of an odd constant, scrambled. 32 bits of state, every state once in
 * 2^32 calls, good enough statistics for a simulation; not for secrets.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface SimEnv extends Env {
  readonly clock: SimClock
}

export const createSimEnv = (seed: number): SimEnv => ({ clock: createSimClock(), random: createRandom(seed) })
