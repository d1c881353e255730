import type { TrapKind } from '../core/trap.ts'

/**
 * URLs that a site makes without end, told by their looks.
 *
 * Shape alone is enough for two kinds. A relative link that is wrong by a level gives `/a/b/a/b/a/b/`: a row of segments
 * that stands there three times running, or one segment more than five times. And no site is forty levels deep.
 *
 * The other kinds are rows: URLs that are alike but for one piece that may have any value. A calendar goes on to the
 * year 9999, a parameter (`?page=`, `?offset=`) as high as somebody counts, a session in the path gives each visit a site
 * of its own. But the archive of a newspaper and a shop of `?id=` look the same, so a row is a suspicion and no verdict:
 * `createTrapWatch` looks at what its pages say.
 *
 * Known weakness: rows that count in a piece of the path (`/page/1/`, `/page/2/`) are none by their looks, as numbers in
 * a path are what most sites call their pages by.
 */

const mostSegments = 40
const longestPeriod = 4
const mostRepeats = 3
const mostOccurrences = 5

/** Numbers and single letters repeat for honest reasons: `/2011/11/11/`, `/a/a/a/aaa.png`. */
const isWord = (segment: string): boolean => segment.length > 1 && !/^\d+$/.test(segment)

const segmentsOf = (url: URL): readonly string[] => url.pathname.split('/').filter(segment => segment !== '')

function repeats(segments: readonly string[]): boolean {
  for (let period = 1; period <= longestPeriod; period += 1) {
    let run = 0
    for (let at = period; at < segments.length; at += 1) {
      run = segments[at] === segments[at - period] ? run + 1 : 0
      // As many equal segments in a row as all repeats but the first have.
      if (run < period * (mostRepeats - 1)) continue
      if (segments.slice(at - period + 1, at + 1).some(isWord)) return true
    }
  }
  return false
}

function occursOften(segments: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count > mostOccurrences && isWord(segment)) return true
    counts.set(segment, count)
  }
  return false
}

/** A trap by its shape alone; null: none. */
export function shapeTrapOf(url: URL): TrapKind | null {
  const segments = segmentsOf(url)
  if (segments.length > mostSegments) return 'deep-path'
  // Most paths are too short to repeat anything.
  if (segments.length < mostRepeats) return null
  return repeats(segments) || (segments.length > mostOccurrences && occursOften(segments)) ? 'repeating-segments' : null
}

/** A row of URLs. */
export interface Row {
  readonly kind: 'calendar' | 'parameters' | 'session'
  /** Host, path and query with what differs in braces: `shop.test/calendar/{date}`. */
  readonly pattern: string
}

const date = '{date}'
const isYear = (text: string): boolean => /^(?:19|20|21)\d\d$/.test(text)
const isDate = (text: string): boolean => /^(?:19|20|21)\d\d-?(?:0\d|1[0-2])(?:-?[0-3]\d)?(?:[T ].*)?$/.test(text)
const isDateName = (name: string): boolean =>
  /^(?:.*[_-])?(?:date|day|month|year|week|from|to|start|end|since|until|[dmy])$/i.test(name)
const isToken = (text: string): boolean =>
  /^\(S\(\w+\)\)$/i.test(text) ||
  (/^[\w-]{16,64}$/.test(text) && /\d[a-z_-]*\d[a-z_-]*\d/i.test(text) && /[a-z]/i.test(text))

/** Year, month and day as segments of their own count as one date. */
function datedPath(segments: readonly string[]): readonly string[] {
  const path: string[] = []
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? ''
    if (isDate(segment) && !isYear(segment)) path.push(date)
    else if (isYear(segment) && /^[01]?\d$/.test(segments[at + 1] ?? '')) {
      path.push(date)
      at += /^[0-3]?\d$/.test(segments[at + 2] ?? '') ? 2 : 1
    } else path.push(segment)
  }
  return path
}

const mostParameters = 16

/** The row that a URL is one of; null: none. */
export function patternOf(url: URL): Row | null {
  const parameters = url.search === '' ? [] : [...url.searchParams].slice(0, mostParameters)
  const segments = segmentsOf(url)
  const dated = datedPath(segments)
  const path = dated.map((segment, at) => (at < dated.length - 1 && isToken(segment) ? '{session}' : segment))
  const names = parameters
    .map(([name, value]) => (isDate(value) || (isDateName(name) && /^\d+$/.test(value)) ? `${name}=${date}` : name))
    .sort()
  const isDated = path.includes(date) || names.some(name => name.endsWith(date))
  if (!isDated && !path.includes('{session}') && names.length === 0) return null
  const kind = isDated ? 'calendar' : path.includes('{session}') ? 'session' : 'parameters'
  return { kind, pattern: `${url.host}/${path.join('/')}${names.length === 0 ? '' : `?${names.join('&')}`}` }
}
