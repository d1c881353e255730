import { hashOf } from '../../core/hash.ts'
import { leastBy } from './least-by.ts'
import type { Rotation } from './rotation.ts'

/**
 * A host sees the same exit as long as that one is open: rendezvous hashing (Thaler and Ravishankar, 1998), in its
 * weighted form. Where an exit goes or comes, only the hosts that are its own change theirs.
 */
export const stickyHost: Rotation = (candidates, host) =>
  leastBy(candidates, ({ label, weight }) => -Math.log(hashOf(`${host} ${label}`)) / weight)
