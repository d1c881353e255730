import type { ProxyRules } from '../../job/job.ts'
import { leastUsed } from './least-used.ts'
import type { Rotation } from './rotation.ts'
import { roundRobin } from './round-robin.ts'
import { stickyHost } from './sticky-host.ts'
import { weighted } from './weighted.ts'

/** The table of rotations: what a job may name. The contract suite runs over it. */
export const rotations: { readonly [N in ProxyRules['rotation']]: Rotation } = {
  weighted,
  'round-robin': roundRobin,
  'least-used': leastUsed,
  'sticky-host': stickyHost,
}
