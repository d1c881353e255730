import { InvalidArgumentError } from 'commander'
import type { JobOverride } from '../job/job-override.ts'

/** Gathers `--set path=value`, which may be repeated. */
export function setting(text: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('path=value is accepted, for example limits.inFlight=64.')
  return [...before, text]
}

/** `a.b=c` as the path and the value it sets. */
export function overrideOf(text: string): JobOverride {
  const at = text.indexOf('=')
  return { path: text.slice(0, at), value: text.slice(at + 1) }
}

/** What the command line changes of a job. */
export function overridesOf(flags: { readonly set: readonly string[]; readonly preset?: string }): JobOverride[] {
  const overrides = flags.set.map(overrideOf)
  return flags.preset === undefined ? overrides : [...overrides, { path: 'preset', value: flags.preset }]
}
