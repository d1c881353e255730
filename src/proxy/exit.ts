import type { ProxyFailure, ProxySpec } from '../core/route.ts'
import { type CoolDown, nextCoolDown } from './cool-down.ts'
import { amendSample, type Health, newHealth, noteSample, type SampleKind } from './health.ts'

/**
 * All that is known of one way out: a proxy, or a gateway with one place to come out at. A plain record and the rules
 * of it as functions: no clock, no timer.
 */
export interface Exit {
  readonly spec: ProxySpec
  /** What a template's `{geo}` is filled with. */
  readonly geo: string | null
  readonly region: string
  readonly label: string
  readonly health: Health
  inFlight: number
  uses: number
  /** Number of its last lease among those of the pool. */
  turn: number
  /**
   * Leases that may be out. No bound while it is well; one after a fault, and one more with each good answer: what
   * fails once more takes no crowd with it.
   */
  trust: number
  /** Faults in a row. */
  row: number
  coolDown: CoolDown | null
  /** The one that ended last: trouble that is soon back is the same trouble. */
  pastCoolDown: CoolDown | null
  coolDowns: number
  /** When it last did its part, and the time before: the last may turn out to have been a lie. */
  goodAtMs: number
  goodBeforeMs: number
  /** The one lease that tells whether the cool-down may end is out. */
  isProbed: boolean
  /** No longer in the list: leases that are out still end. */
  isRemoved: boolean
  readonly failures: { [K in Exclude<SampleKind, 'good'>]: number }
  /** What it last did wrong, for `explain`. */
  lastFault: string | null
}

/** One lease as its exit remembers it. */
export interface ExitGrant {
  readonly grantedMs: number
  readonly isProbe: boolean
}

const faultsInRow = 3
/** A lie looks like an answer at first, so that lies are never in a row. */
const lieWindow = 6
const liesEnough = 3
const soonMs = 60_000
const fullTrust = 5

export const newExit = (spec: ProxySpec, geo: string | null, region: string, label: string): Exit => ({
  spec,
  geo,
  region,
  label,
  health: newHealth(),
  inFlight: 0,
  uses: 0,
  turn: 0,
  trust: Number.POSITIVE_INFINITY,
  row: 0,
  coolDown: null,
  pastCoolDown: null,
  coolDowns: 0,
  goodAtMs: Number.NEGATIVE_INFINITY,
  goodBeforeMs: Number.NEGATIVE_INFINITY,
  isProbed: false,
  isRemoved: false,
  failures: { connect: 0, refused: 0, denied: 0, timeout: 0, block: 0, lie: 0 },
  lastFault: null,
})

/** When it could take a lease; Infinity: one must come back first. `mostInFlight` is the job's bound. */
export function exitReadyAtMs(exit: Exit, mostInFlight: number): number {
  if (exit.isRemoved || exit.inFlight >= Math.min(exit.trust, mostInFlight)) return Number.POSITIVE_INFINITY
  if (exit.coolDown === null) return 0
  return exit.isProbed ? Number.POSITIVE_INFINITY : exit.coolDown.untilMs
}

/** It has not worked at all since its trouble began; what only some hosts cannot be reached by works in between. */
export const isUnbroken = ({ coolDown, goodAtMs }: Exit): boolean => coolDown !== null && goodAtMs <= coolDown.sinceMs

export function enterExit(exit: Exit, turn: number, nowMs: number): ExitGrant {
  exit.inFlight += 1
  exit.uses += 1
  exit.turn = turn
  const isProbe = exit.coolDown !== null
  if (isProbe) exit.isProbed = true
  return { grantedMs: nowMs, isProbe }
}

/** The lease ended. @param wasUsed false: nothing went this way after all */
export function leaveExit(exit: Exit, { isProbe }: ExitGrant, wasUsed = true): void {
  exit.inFlight -= 1
  if (!wasUsed) exit.uses -= 1
  if (isProbe) exit.isProbed = false
}

/**
 * It did its part. True: its trouble is over.
 * @param isLate the host said nothing in time: nobody can tell whose fault that is, but where it is the host's all exits
 * have as many of them, and where it is that of this one the others are chosen instead
 */
export function noteGood(
  exit: Exit,
  { isProbe }: ExitGrant,
  latencyMs: number | null,
  isLate: boolean,
  nowMs: number,
): boolean {
  noteSample(exit.health, isLate ? 'timeout' : 'good', latencyMs, nowMs)
  // Of a request from before the trouble: it says nothing of what came after.
  if (exit.coolDown !== null && !isProbe) return false
  const isBack = exit.coolDown !== null
  exit.goodBeforeMs = exit.goodAtMs
  exit.goodAtMs = nowMs
  exit.row = 0
  exit.pastCoolDown = exit.coolDown ?? exit.pastCoolDown
  exit.coolDown = null
  if (isBack) exit.trust = 1
  else exit.trust = exit.trust >= fullTrust ? Number.POSITIVE_INFINITY : exit.trust + 1
  return isBack
}

/** Whose part of a complaint it is shows in the score; it is no reason to leave an exit alone altogether. */
export function noteComplaint(exit: Exit, kind: 'block' | 'timeout', nowMs: number): void {
  noteSample(exit.health, kind, null, nowMs)
  exit.failures[kind] += 1
}

/**
 * It failed. True: it is left alone from now on, or for longer.
 * @param isAlarm no exit of the pool works: the first fault is enough
 */
export function noteFault(
  exit: Exit,
  grant: ExitGrant,
  kind: ProxyFailure,
  isAlarm: boolean,
  nowMs: number,
  random: () => number,
): boolean {
  noteSample(exit.health, kind, null, nowMs)
  exit.failures[kind] += 1
  if (exit.coolDown !== null && grant.grantedMs <= exit.coolDown.begunMs) return false
  exit.row += 1
  exit.trust = 1
  // Wrong credentials do not mend themselves.
  if (!grant.isProbe && !isAlarm && kind !== 'denied' && exit.row < faultsInRow) return false
  coolDown(exit, nowMs, random)
  return true
}

/** The page that it brought was one of its gateway's. True: as `noteFault`. */
export function noteLie(exit: Exit, grant: ExitGrant, nowMs: number, random: () => number): boolean {
  amendSample(exit.health, 'lie')
  exit.goodAtMs = exit.goodBeforeMs
  exit.failures.lie += 1
  exit.trust = 1
  if (exit.coolDown !== null) return false
  const lies = exit.health.samples.slice(-lieWindow).filter(({ kind }) => kind === 'lie').length
  if (!grant.isProbe && lies < liesEnough) return false
  coolDown(exit, nowMs, random)
  return true
}

/** It is left alone from now on, or for longer. */
export function coolDown(exit: Exit, nowMs: number, random: () => number): void {
  const { pastCoolDown: past } = exit
  const last = exit.coolDown ?? (past !== null && nowMs < past.untilMs + soonMs ? past : null)
  exit.coolDown = nextCoolDown(last, nowMs, random)
  exit.coolDowns += 1
}
