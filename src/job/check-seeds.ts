import { resolve } from 'node:path'
import { sendableUrl } from '../core/url.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { Seed, SeedSource } from './job.ts'
import type { Path, Problems } from './problems.ts'
import { type SeedShape, seedOf } from './seed-shape.ts'
import { didYouMean } from './shape.ts'

/** What is wrong with a seed, as the rest of a sentence; null when nothing is. Files of seeds are read by this too. */
export function seedProblem(seed: Seed, pages: readonly Pick<PageRule, 'name'>[]): string | null {
  if (sendableUrl(seed.url) === null)
    return `${JSON.stringify(seed.url)} is not a URL; expected an absolute one that begins with http:// or https://`
  const names = pages.map(({ name }) => name)
  if (seed.page === null || names.includes(seed.page)) return null
  return `no page rule is called ${JSON.stringify(seed.page)}; ${didYouMean(seed.page, names) ?? `there is ${names.join(', ')}`}`
}

function checkSeed(
  written: SeedShape,
  pages: readonly PageRule[],
  baseDir: string,
  path: Path,
  problems: Problems,
): SeedSource | null {
  const { url, from, ...more } = typeof written === 'string' ? { url: written } : written
  if ((url === undefined) === (from === undefined)) {
    problems.refuse(path, written, 'a URL, { url, page } or { from: file }')
    return null
  }
  if (from !== undefined) {
    for (const key of Object.keys(more))
      problems.say([...path, key], `a file says this line by line: {"url": ..., "${key}": ...}`)
    return { kind: 'file', path: from === '-' ? '-' : resolve(baseDir, from) }
  }
  const seed = seedOf({ url: url ?? '', ...more })
  const sentence = seedProblem(seed, pages)
  if (sentence !== null) problems.say(path, sentence)
  return { kind: 'url', seed }
}

export function checkSeeds(
  written: readonly SeedShape[] | undefined,
  pages: readonly PageRule[],
  baseDir: string,
  problems: Problems,
): readonly SeedSource[] {
  if (written === undefined || written.length === 0) {
    problems.refuse(['seeds'], written, 'one URL at least')
    return []
  }
  return written.flatMap((seed, index) => {
    const source = checkSeed(seed, pages, baseDir, ['seeds', index], problems)
    return source === null ? [] : [source]
  })
}
