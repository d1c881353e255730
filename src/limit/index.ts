import type { LimiterPolicy } from '../job/job.ts'
import { aimd } from './aimd.ts'
import { blockrate } from './blockrate.ts'
import { courteous } from './courteous.ts'
import { fixed } from './fixed.ts'
import { gradient } from './gradient.ts'
import type { Limiter, LimiterFactory } from './limiter.ts'
import { vegas } from './vegas.ts'
import { window } from './window.ts'

type PolicyName = LimiterPolicy['policy']

/** The table of policies: what a job may name. The contract suite runs over it. */
export const limiters: { readonly [N in PolicyName]: LimiterFactory<Extract<LimiterPolicy, { readonly policy: N }>> } =
  {
    fixed,
    aimd,
    courteous,
    window,
    blockrate,
    gradient,
    vegas,
  }

export function createLimiter(policy: LimiterPolicy, random: () => number): Limiter {
  // The key and the options come out of one object, which the type of an index access cannot say.
  const create = limiters[policy.policy] as LimiterFactory<LimiterPolicy>
  return create(policy, random)
}
