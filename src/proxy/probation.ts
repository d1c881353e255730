import { type CoolDown, nextCoolDown } from './cool-down.ts'
import type { Exit, ExitGrant } from './exit.ts'

/**
 * Which exits that are left alone may be tried again: one probe at a time in a region, few at a time over all, so that
 * what went down together does not come back together. Where a region is down with all its exits, one of them is probed
 * for all, in cool-downs of the region's own; when that one is back, the others are probed, one after the other.
 */
export interface Probation {
  /** From when on an exit that is left alone may be probed, by what is known of the others. Infinity: one is out. */
  readyAtMs(exit: Exit): number
  entered(exit: Exit, grant: ExitGrant): void
  left(exit: Exit, grant: ExitGrant): void
  /** An exit failed, and is left alone. */
  failed(exit: Exit, nowMs: number): void
  /** One is back. */
  isBack(exit: Exit, nowMs: number): void
  /** Attempts that may be out at a time while nothing works. */
  readonly most: number
}

/** Of all exits, those that may be on probation at a time. */
const probedPart = 1 / 10

export function createProbation(all: () => readonly Exit[], random: () => number): Probation {
  const probed = new Set<string>()
  /** Of regions that are down with all their exits. */
  const regions = new Map<string, CoolDown>()
  const most = (): number => Math.max(1, Math.floor(all().length * probedPart))

  const neighbours = (region: string): readonly Exit[] => all().filter(exit => exit.region === region)

  return {
    get most() {
      return most()
    },
    readyAtMs({ region }) {
      if (probed.has(region) || probed.size >= most()) return Number.POSITIVE_INFINITY
      return regions.get(region)?.untilMs ?? 0
    },
    entered({ region }, { isProbe }) {
      if (isProbe) probed.add(region)
    },
    left({ region }, { isProbe }) {
      if (isProbe) probed.delete(region)
    },
    failed({ region }, nowMs) {
      const exits = neighbours(region)
      if (exits.length < 2 || exits.some(({ coolDown }) => coolDown === null)) return
      regions.set(region, nextCoolDown(regions.get(region) ?? null, nowMs, random))
    },
    isBack({ region }, nowMs) {
      regions.delete(region)
      for (const exit of neighbours(region))
        if (exit.coolDown !== null && exit.coolDown.untilMs > nowMs)
          exit.coolDown = { ...exit.coolDown, untilMs: nowMs }
    },
  }
}
