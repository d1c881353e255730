import { meanSpacingMs } from '../pace/mean-spacing.ts'
import type { HostPolicy } from './job.ts'
import type { HostShape } from './limits-shape.ts'
import type { Path, Problems } from './problems.ts'

/** In flight from the first request on, before the host has answered anything. */
const firstOf = ({ perHost }: HostPolicy): number => (perHost.policy === 'fixed' ? perHost.max : perHost.start)

/** The same as `meanSpacingMs`, while a burst lasts: nothing but the delay keeps its departures apart. */
const burstSpacingMs = ({ delayMs, rate }: HostPolicy): number =>
  meanSpacingMs({ delayMs, rate: rate !== null && rate.burst > 1 ? null : rate })

/** A host that the job names. */
interface NamedHost {
  readonly written: HostShape
  /** What it gets in the end. */
  readonly own: HostPolicy
  /** What hosts of the job get that it does not name, and what the preset has for them. */
  readonly usual: readonly HostPolicy[]
}

const advice = 'give a `reason` that the report can repeat (who agreed to it), or'

function checkInFlight({ written, own: { perHost }, usual }: NamedHost, path: Path, problems: Problems): void {
  const mostFirst = Math.max(...usual.map(firstOf))
  if (perHost.policy === 'fixed') {
    if (perHost.max > mostFirst)
      problems.say(
        [...path, written.max === undefined ? 'policy' : 'max'],
        `${perHost.max} from the first request on, as \`fixed\` has it, is above ${mostFirst}, with which hosts of this job begin; ${advice} \`fixed\` with at most ${mostFirst}, or a policy that begins with less`,
      )
    return
  }
  const most = Math.max(...usual.map(policy => policy.perHost.max))
  if (perHost.max > most)
    problems.say(
      [...path, 'max'],
      `${perHost.max} is above ${most}, the bound of hosts of this job; ${advice} at most ${most}`,
    )
  if (perHost.start > mostFirst)
    problems.say(
      [...path, 'start'],
      `${perHost.start} is above ${mostFirst}, with which hosts of this job begin; ${advice} at most ${mostFirst}`,
    )
}

function checkSpacing({ written, own, usual }: NamedHost, path: Path, problems: Problems): void {
  const place = [...path, written.delayMs === undefined ? 'rate' : 'delayMs']
  for (const [spacingMs, which] of [
    [meanSpacingMs, 'departures on average'],
    [burstSpacingMs, 'departures of a burst'],
  ] as const) {
    const leastMs = Math.min(...usual.map(spacingMs))
    if (spacingMs(own) >= leastMs) continue
    problems.say(
      place,
      `${Math.floor(spacingMs(own))} ms between ${which} is less than ${Math.ceil(leastMs)} ms, which hosts of this job keep; ${advice} a \`delayMs\` of at least ${Math.ceil(leastMs)}`,
    )
    return
  }
}

/**
 * A host that is asked faster than any other of the job, and than the preset has it, says who agreed to that. What it
 * gets in the end is compared, not what is written of it: a short delay beside a low rate makes nobody faster.
 */
export function checkReason(host: NamedHost, path: Path, problems: Problems): void {
  if (host.written.reason !== undefined) return
  checkInFlight(host, path, problems)
  checkSpacing(host, path, problems)
}
