import { type Budget, type CrawlRules, defaultCrawlRules, noBudget, type TrapRules } from '../scope/crawl-rules.ts'
import { defaultUrlRules, type UrlRules } from '../scope/url-key.ts'
import { byteSize } from './byte-size.ts'
import type { CrawlShape } from './crawl-shape.ts'
import type { Problems } from './problems.ts'

function checkUrls(written: CrawlShape['urls'], problems: Problems): UrlRules {
  const { dropParameters, alsoDrop = [], sortQuery = defaultUrlRules.sortQuery } = written ?? {}
  for (const [key, names] of Object.entries({ dropParameters: dropParameters ?? [], alsoDrop }))
    for (const [index, name] of names.entries())
      if (!/^[^&=;*]+\*?$/.test(name))
        problems.refuse(['urls', key, index], name, 'the name of a parameter, or its beginning with a `*`: utm_*')
  return { dropParameters: [...(dropParameters ?? defaultUrlRules.dropParameters), ...alsoDrop], sortQuery }
}

function checkTraps(written: CrawlShape['traps']): TrapRules | null {
  if (written === 'off') return null
  return { perPattern: written?.perPattern ?? defaultCrawlRules.traps?.perPattern ?? 1_000 }
}

function checkBudget(written: CrawlShape['budget'], problems: Problems): Budget {
  if (written === undefined) return noBudget
  const { pages, timeMs, time, bytes, perHost } = written
  if (time !== undefined && timeMs !== undefined)
    problems.say(['budget', 'time'], '`time` and `timeMs` are the same; give one of them')
  const size = bytes === undefined ? null : byteSize(bytes)
  if (bytes !== undefined && size === null)
    problems.refuse(['budget', 'bytes'], bytes, 'bytes as a whole number, or with a unit: 10GB, 500MiB')
  return {
    pages: pages ?? null,
    timeMs: time ?? timeMs ?? null,
    bytes: size,
    perHost: { pages: perHost?.pages ?? null },
  }
}

export const checkCrawl = (written: CrawlShape, problems: Problems): CrawlRules => ({
  urls: checkUrls(written.urls, problems),
  nofollow: written.nofollow ?? defaultCrawlRules.nofollow,
  canonical: written.canonical ?? defaultCrawlRules.canonical,
  sameContent: written.sameContent ?? defaultCrawlRules.sameContent,
  traps: checkTraps(written.traps),
  budget: checkBudget(written.budget, problems),
})
