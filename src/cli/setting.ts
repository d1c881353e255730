import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { JobOverride } from '../job/job-override.ts'

/** Gathers `--set path=value`, which may be repeated. */
export function setting(text: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('path=value is accepted, for example limits.inFlight=64.')
  return [...before, text]
}

/** Gathers `--ignore-robots a.test,b.test`, which may be repeated. */
export const hostList = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text.split(',').map(name => name.trim()),
]

/** `a.b=c` as the path and the value it sets. */
export function overrideOf(text: string): JobOverride {
  const at = text.indexOf('=')
  return { path: text.slice(0, at), value: text.slice(at + 1) }
}

/** A folder is named on the command line by somebody who tries things: answers are used as they are. */
export const cacheOverrides = (folder: string): readonly JobOverride[] => [
  { path: 'cache', value: JSON.stringify({ dir: resolve(folder), mode: 'reuse' }) },
]

/** What the command line changes of a job. */
export function overridesOf(flags: {
  readonly set: readonly string[]
  readonly preset?: string
  readonly audit?: string
  readonly cache?: string
}): JobOverride[] {
  const { set, preset, audit, cache } = flags
  return [
    ...(cache === undefined ? [] : cacheOverrides(cache)),
    ...set.map(overrideOf),
    ...(preset === undefined ? [] : [{ path: 'preset', value: preset }]),
    ...(audit === undefined ? [] : [{ path: 'audit', value: audit }]),
  ]
}
