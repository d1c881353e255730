import { hash } from 'node:crypto'
import type { Job } from './job.ts'

/** What a run remembers of its job, to notice a change when it is resumed: a hash of each part by its path, no secrets. */
export type JobSignature = Readonly<Record<string, string>>

const hashOf = (part: unknown): string => hash('sha256', JSON.stringify(part) ?? '', 'base64url')

/** Parts of a part that a person would name: keys of an object, and page rules by their names. */
function partsOf(part: unknown): readonly (readonly [string, unknown])[] | null {
  if (typeof part !== 'object' || part === null) return null
  if (!Array.isArray(part)) return Object.entries(part)
  const named = part.map((one): readonly [string, unknown] => [String((one as { name?: unknown } | null)?.name), one])
  return new Set(named.map(([name]) => name)).size === part.length ? named : null
}

/** Null, an empty list or object, and nothing at all are the same. */
const isEmpty = (part: unknown): boolean => partsOf(part)?.length === 0 || part === null || part === undefined

export const signatureOf = (job: Job): JobSignature =>
  Object.fromEntries(
    Object.entries(job).flatMap(([key, part]) => {
      // A file that has been moved says what it said.
      if (key === 'writtenIn' || isEmpty(part)) return []
      const parts = key === 'seeds' ? null : partsOf(part)
      if (parts === null) return [[key, hashOf(part)]]
      return parts.filter(([, one]) => !isEmpty(one)).map(([name, one]) => [`${key}.${name}`, hashOf(one)])
    }),
  )

/** What hosts of this machine get follows from `limits`, and has no key of its own in the job. */
const asWritten = (path: string): string => path.replace(/^loopback\./, 'limits.')

/** Paths of the job that differ. */
export const changedKeys = (before: JobSignature, now: JobSignature): readonly string[] => {
  const paths = [...Object.keys(before), ...Object.keys(now)].filter(path => before[path] !== now[path])
  return [...new Set(paths.map(asWritten))]
}

/** What a change of some keys of a job means for a run that goes on. */
interface Change {
  readonly keys: readonly string[]
  readonly meaning: string
}

/** A run does not go on after one of these: what was already written depends on them. */
const binding: readonly Change[] = [
  { keys: ['pages'], meaning: 'items that are written from now on would not be like those that are there' },
  { keys: ['output'], meaning: 'its files were begun otherwise' },
]

const others: readonly Change[] = [
  {
    keys: ['seeds'],
    meaning: 'seeds that are new to the run are added, and those that were taken out stay in it if they had been read',
  },
  { keys: ['scope', 'traps'], meaning: 'links are judged by it from now on, and URLs that are queued stay' },
  { keys: ['name', 'audit'], meaning: 'the report says so, and what is done stays as it is' },
  { keys: ['webhook'], meaning: 'it is sent what had not been sent before' },
]

const ofAll = 'it holds for every request from now on, and what is done stays as it is'

const meaningIn = (changes: readonly Change[], path: string): string | null =>
  changes.find(({ keys }) => keys.includes(path.split('.')[0] ?? ''))?.meaning ?? null

/** Paths with the same meaning in one sentence: "`limits.inFlight`, `timeouts.totalMs`: it holds for ...". */
function sentencesOf(paths: readonly string[], meaningOf: (path: string) => string | null): readonly string[] {
  const byMeaning = new Map<string, string[]>()
  for (const path of paths) {
    const meaning = meaningOf(path)
    if (meaning !== null) byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), `\`${path}\``])
  }
  return [...byMeaning].map(([meaning, names]) => `${names.join(', ')}: ${meaning}`)
}

/** Why a run cannot go on with these changes; empty: it can. */
export const whyNotGoOn = (changed: readonly string[]): readonly string[] =>
  sentencesOf(changed, path => meaningIn(binding, path))

/** What these changes, none of them binding, mean for a run that goes on. */
export const whatChanges = (changed: readonly string[]): readonly string[] =>
  sentencesOf(changed, path => meaningIn(others, path) ?? ofAll)
