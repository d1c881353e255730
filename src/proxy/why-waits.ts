import type { Exit } from './exit.ts'
import { leastBy } from './rotations/least-by.ts'

const seconds = (durationMs: number): string => `${Math.max(0, Math.ceil(durationMs / 100) / 10)} s`

const allOf = ({ length }: readonly Exit[]): string =>
  length === 1 ? 'the only proxy is' : `all ${length} proxies are`

/** Why no proxy is to be had: "all 12 proxies are down: gate.test:8000 de was last (timeout), next probe in 4.2 s". */
export function whyProxiesWait(exits: readonly Exit[], nowMs: number): string | null {
  if (exits.length === 0) return 'there are no proxies in the list'
  const isBusy = exits.every(({ coolDown, inFlight }) => coolDown === null && inFlight > 0)
  const open = exits.filter(({ coolDown }) => coolDown === null)
  if (open.length > 0) return isBusy ? `${allOf(exits)} in use, or on probation` : null
  const next = leastBy(exits, ({ coolDown }) => coolDown?.untilMs ?? 0)
  if (next === undefined) return null
  const probe = exits.find(({ isProbed }) => isProbed)
  const when =
    probe === undefined
      ? `${next.label} is probed next, in ${seconds((next.coolDown?.untilMs ?? nowMs) - nowMs)}`
      : `${probe.label} is being probed`
  const fault = next.lastFault === null ? '' : ` (last: ${next.lastFault})`
  return `${allOf(exits)} down${fault}: ${when}`
}
