import { leastBy } from './least-by.ts'
import type { Rotation } from './rotation.ts'

/** One after the other: whose last turn is longest ago. */
export const roundRobin: Rotation = candidates => leastBy(candidates, ({ turn }) => turn)
