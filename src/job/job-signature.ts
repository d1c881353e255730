import { createHash } from 'node:crypto'
import type { Job } from './job.ts'

/** What a run remembers of its job, to notice a change when it is resumed: a hash of each part, no secrets. */
export type JobSignature = Readonly<Record<string, string>>

export const signatureOf = (job: Job): JobSignature =>
  Object.fromEntries(
    Object.entries(job).map(([key, part]) => [
      key,
      createHash('sha256').update(JSON.stringify(part)).digest('base64url'),
    ]),
  )

/** Keys of the job that differ. */
export const changedKeys = (before: JobSignature, now: JobSignature): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(key => before[key] !== now[key])

/**
 * Parts of a job that what was already written depends on: items of two schemas in one file would be of use to nobody.
 * Other parts take effect from now on.
 */
export const bindingKeys: readonly string[] = ['pages', 'output']
