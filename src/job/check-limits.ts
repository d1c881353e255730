import { courteousMax } from '../limit/courteous.ts'
import { byteSize } from './byte-size.ts'
import { defaultBodyBytes, defaultBurst, defaultPageBudgetBytes } from './defaults.ts'
import type { HostPolicy, LimiterPolicy, Limits, Rate, Timeouts } from './job.ts'
import type { DelayShape, HostShape, LimitsShape, RateShape } from './limits-shape.ts'
import { openPolicy, type Preset } from './presets.ts'
import type { Path, Problems } from './problems.ts'

/** The most that a policy allows whatever is written. */
const hardMax: { readonly [P in LimiterPolicy['policy']]?: number } = { courteous: courteousMax }

/**
 * What of a policy is written, laid over what holds without it.
 * @param budgetMs how long an answer may take
 */
export function checkPolicy(
  written: Pick<HostShape, 'policy' | 'start' | 'max'>,
  base: LimiterPolicy,
  budgetMs: number,
  path: Path,
  problems: Problems,
): LimiterPolicy {
  const policy = written.policy ?? base.policy
  const most = hardMax[policy] ?? Number.POSITIVE_INFINITY
  const max = written.max ?? Math.min(base.max, most)
  if (max > most) problems.refuse([...path, 'max'], max, `at most ${most}, which \`${policy}\` never exceeds`)
  if (policy === 'fixed') {
    if (written.start !== undefined)
      problems.say(
        [...path, 'start'],
        '`fixed` does not start lower than it stays; leave it out, or use `policy: aimd`',
      )
    return { policy, max }
  }
  if (written.start !== undefined && written.start > max)
    problems.refuse([...path, 'start'], written.start, `at most \`max\`, which is ${max}`)
  const start = Math.min(max, written.start ?? (base.policy === 'fixed' ? 2 : base.start))
  return policy === 'window' ? { policy, start, max, budgetMs } : { policy, start, max }
}

export function checkRate(written: RateShape, path: Path, problems: Problems): Rate | null {
  if (written === 'none') return null
  const { perSecond, perMinute, burst } = written
  if ((perSecond === undefined) === (perMinute === undefined))
    problems.refuse(path, written, 'either `perSecond` or `perMinute`, or `none`')
  return { tokensPerSecond: perSecond ?? (perMinute ?? 60) / 60, burst: burst ?? defaultBurst }
}

export function checkDelay(written: DelayShape, path: Path, problems: Problems): HostPolicy['delayMs'] {
  const [min, max] = typeof written === 'number' ? [written, written] : written
  if (min > max) problems.refuse(path, written, 'the smaller number first')
  return { min, max }
}

function checkBytes(written: number | string | undefined, preset: number, path: Path, problems: Problems): number {
  if (written === undefined) return preset
  const bytes = byteSize(written)
  if (bytes === null) problems.refuse(path, written, 'bytes as a whole number, or with a unit: 10MB, 512KiB')
  return bytes ?? preset
}

/** The policy of hosts in general or, over `openPolicy`, of hosts of one's own machine. */
function policyOver(base: HostPolicy, written: LimitsShape, budgetMs: number, problems: Problems): HostPolicy {
  const { perHost, rate, delayMs } = written
  return {
    perHost:
      perHost === undefined
        ? base.perHost
        : checkPolicy(perHost, base.perHost, budgetMs, ['limits', 'perHost'], problems),
    rate: rate === undefined ? base.rate : checkRate(rate, ['limits', 'rate'], problems),
    delayMs: delayMs === undefined ? base.delayMs : checkDelay(delayMs, ['limits', 'delayMs'], problems),
  }
}

export function checkLimits(
  written: LimitsShape,
  preset: Preset,
  { firstByteMs }: Timeouts,
  problems: Problems,
): { readonly limits: Limits; readonly loopback: HostPolicy } {
  const general = policyOver(preset, written, firstByteMs, problems)
  const limits: Limits = {
    ...general,
    inFlight: written.inFlight ?? preset.inFlight,
    perDomain: written.perDomain ?? null,
    perAddress: written.perAddress ?? null,
    globalRate:
      written.globalRate === undefined ? null : checkRate(written.globalRate, ['limits', 'globalRate'], problems),
    bodyBytes: checkBytes(written.bodyBytes, defaultBodyBytes, ['limits', 'bodyBytes'], problems),
    pageBudgetBytes: checkBytes(
      written.pageBudgetBytes,
      defaultPageBudgetBytes,
      ['limits', 'pageBudgetBytes'],
      problems,
    ),
  }
  if (limits.pageBudgetBytes < limits.bodyBytes)
    problems.refuse(
      ['limits', written.pageBudgetBytes === undefined ? 'bodyBytes' : 'pageBudgetBytes'],
      written.pageBudgetBytes ?? written.bodyBytes,
      `room for one body at least: \`bodyBytes\` is ${limits.bodyBytes}, \`pageBudgetBytes\` is ${limits.pageBudgetBytes}`,
    )
  return {
    limits,
    loopback: {
      // What a job says of its hosts it says of all of them; a policy that it names in part is that of the preset.
      perHost: written.perHost === undefined ? openPolicy.perHost : general.perHost,
      rate: written.rate === undefined ? openPolicy.rate : general.rate,
      delayMs: written.delayMs === undefined ? openPolicy.delayMs : general.delayMs,
    },
  }
}
