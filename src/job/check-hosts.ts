import { isLoopback } from '../core/url.ts'
import { hostName } from '../scope/host-name.ts'
import { checkHeaders } from './check-headers.ts'
import { checkDelay, checkPolicy, checkRate } from './check-limits.ts'
import { checkReason } from './check-reason.ts'
import { overridden } from './host-policy.ts'
import type { HostOverride, HostPolicy, Timeouts } from './job.ts'
import type { HostShape } from './limits-shape.ts'
import { openPolicy, type Preset } from './presets.ts'
import type { Path, Problems } from './problems.ts'

const hostText = 'a host name such as `books.test`, or with its port `books.test:8080`'

/** What holds for a host that the job does not name, and how far it may go up without a reason. */
export interface HostBases {
  readonly limits: HostPolicy
  readonly loopback: HostPolicy
  readonly preset: Preset
  readonly timeouts: Timeouts
}

function checkHost(name: string, written: HostShape, bases: HostBases, path: Path, problems: Problems): HostOverride {
  const { max, rate, delayMs, reason } = written
  const [base, usual] = isLoopback(name) ? [bases.loopback, openPolicy] : [bases.limits, bases.preset]
  const hasPolicy = written.policy !== undefined || written.start !== undefined || max !== undefined
  const limits = {
    perHost: hasPolicy ? checkPolicy(written, base.perHost, bases.timeouts.firstByteMs, path, problems) : null,
    rate: rate === undefined ? null : (checkRate(rate, [...path, 'rate'], problems) ?? 'none'),
    delayMs: delayMs === undefined ? null : checkDelay(delayMs, [...path, 'delayMs'], problems),
  } as const
  checkReason({ written, own: overridden(base, limits), usual: [base, usual] }, path, problems)
  return {
    ...limits,
    headers: checkHeaders(written.headers, [...path, 'headers'], problems),
    allowPrivate: written.allowPrivate ?? false,
    reason: reason ?? null,
  }
}

export function checkHosts(
  hosts: Readonly<Record<string, HostShape>>,
  bases: HostBases,
  problems: Problems,
): Readonly<Record<string, HostOverride>> {
  const checked = new Map<string, HostOverride>()
  for (const [written, override] of Object.entries(hosts)) {
    const path = ['hosts', written]
    const name = hostName(written)
    if (name === null) problems.say(path, `this is not a host; expected ${hostText}`)
    else if (checked.has(name)) problems.say(path, `the host ${name} is given twice`)
    else checked.set(name, checkHost(name, override, bases, path, problems))
  }
  // Own properties whatever the host is called: `__proto__` and `constructor` resolve on some networks.
  return Object.fromEntries(checked)
}

export function checkIgnoredHosts(written: readonly string[], problems: Problems): readonly string[] {
  return written.flatMap((text, index) => {
    const name = hostName(text)
    if (name === null) problems.refuse(['robots', 'ignoreFor', index], text, hostText)
    return name === null ? [] : [name]
  })
}
