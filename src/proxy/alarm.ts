import type { Exit } from './exit.ts'

/**
 * Notices that no exit of several works: so many faults in a row, of three exits at least where there are so many, among
 * attempts that began after the last one that went well had begun. (By when they began, not by when they ended: where
 * some exits hang, all their time-outs end at once.) One good answer ends it.
 *
 * There is one for each region: while it rings, all exits of the region are left alone, whether they were tried or not.
 * And there is one for all: while it rings a fault costs no URL anything, the first one is enough to leave an exit
 * alone, and few attempts are out at a time.
 */
export interface Alarm {
  row: number
  readonly exits: Set<Exit>
  lastGoodMs: number
  sinceMs: number
}

const severalExits = 3

export const newAlarm = (): Alarm => ({ row: 0, exits: new Set(), lastGoodMs: Number.NEGATIVE_INFINITY, sinceMs: 0 })

export function noteAlarmGood(alarm: Alarm, grantedMs: number): void {
  alarm.lastGoodMs = Math.max(alarm.lastGoodMs, grantedMs)
  alarm.row = 0
  alarm.exits.clear()
}

export function noteAlarmFault(alarm: Alarm, exit: Exit, grantedMs: number, nowMs: number): void {
  if (grantedMs < alarm.lastGoodMs) return
  if (alarm.row === 0) alarm.sinceMs = nowMs
  alarm.row += 1
  alarm.exits.add(exit)
}

/** @param faults how many in a row are enough */
export const isAlarmed = (alarm: Alarm, exitCount: number, faults: number): boolean =>
  alarm.row >= faults && alarm.exits.size >= Math.min(exitCount, severalExits)
