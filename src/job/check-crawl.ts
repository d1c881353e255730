import { type Budget, type CrawlRules, defaultCrawlRules, noBudget, type TrapRules } from '../scope/crawl-rules.ts'
import { defaultUrlRules, type UrlRules } from '../scope/url-key.ts'
import { byteSize } from './byte-size.ts'
import type { CrawlShape } from './crawl-shape.ts'
import type { Problems } from './problems.ts'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `1.5h`; null when it is no time. */
export function durationMs(text: string): number | null {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const ms = Math.round(Number(digits) * (unitMs[unit] ?? 0))
  return digits === undefined || ms < 1 ? null : ms
}

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
  const path = ['budget', 'time']
  const timed = time === undefined ? (timeMs ?? null) : durationMs(time)
  if (time !== undefined && timeMs !== undefined)
    problems.say(path, '`time` and `timeMs` are the same; give one of them')
  else if (time !== undefined && timed === null) problems.refuse(path, time, 'a time with its unit: 90s, 30m, 2h, 1d')
  const size = bytes === undefined ? null : byteSize(bytes)
  if (bytes !== undefined && size === null)
    problems.refuse(['budget', 'bytes'], bytes, 'bytes as a whole number, or with a unit: 10GB, 500MiB')
  return { pages: pages ?? null, timeMs: timed, bytes: size, perHost: { pages: perHost?.pages ?? null } }
}

export const checkCrawl = (written: CrawlShape, problems: Problems): CrawlRules => ({
  urls: checkUrls(written.urls, problems),
  nofollow: written.nofollow ?? defaultCrawlRules.nofollow,
  canonical: written.canonical ?? defaultCrawlRules.canonical,
  sameContent: written.sameContent ?? defaultCrawlRules.sameContent,
  traps: checkTraps(written.traps),
  budget: checkBudget(written.budget, problems),
})
