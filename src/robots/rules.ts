import { createGramIndex } from './gram-index.ts'

/**
 * Reading and matching of robots files as RFC 9309 says, and where it is silent, on the side of the host.
 *
 * - A group is a run of `User-agent` lines with the rules behind it. Only `Allow` and `Disallow` end the run; whatever
 *   else stands there (Sitemap, Crawl-delay, blank lines, unknown keys) ends nothing (2.2.4). All groups that name our
 *   product token are one; the groups of `*` count only if there are none (2.2.1). Rules in front of every group are
 *   nobody's.
 * - Of the patterns that fit, the one with the most octets decides, `Allow` where two are equally long (2.2.2); nothing
 *   fits: allowed. `*` is any text, a `$` at the end is the end of the path. Matching is by substring search from star
 *   to star, so that no pattern costs more than pattern times path, and only patterns are tried of which the path has a
 *   few characters: a file of tens of thousands costs hardly more than a short one.
 * - Both sides are compared after escapes of unreserved characters are undone and all others are written alike, so
 *   `/%7ejoe`, `/~joe` and `/é`, `/%C3%A9` are the same (2.2.2); `%2A` and `%24` in a pattern are a star and a dollar of
 *   the URL (2.2.3).
 *
 * Beyond the RFC, as large crawlers do: a blank may stand for a missing colon, frequent misspellings count, and an
 * agent's name ends at a blank, a `/` or a `*`. Not done: `/index.html` standing for its folder; a byte order mark
 * within the file hides its line.
 */
export interface RobotsRules {
  allows(url: URL): boolean
  /** Seconds of a Crawl-delay line in milliseconds; null: there is none. */
  readonly crawlDelayMs: number | null
}

interface Rule {
  readonly isAllowed: boolean
  readonly octets: number
  /** The texts between the stars. */
  readonly parts: readonly string[]
  readonly isAnchored: boolean
}

interface Group {
  readonly rules: Rule[]
  crawlDelayMs: number | null
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay'

const keys: ReadonlyMap<string, Key> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
])

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Not `trim`, which takes a byte order mark for a blank; nor a pattern, which takes a square of time on a line of blanks. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function readLine(line: string): { readonly key: Key; readonly value: string } | null {
  const text = trimmed(line.replace(/#.*$/s, ''))
  const [, name, value] = /^([^:]*):(.*)$/s.exec(text) ?? /^(\S+)[ \t]+(\S+)$/.exec(text) ?? []
  const key = name === undefined ? undefined : keys.get(trimmed(name).toLowerCase())
  return key === undefined || value === undefined ? null : { key, value: trimmed(value) }
}

const unreserved = /^[\w.~-]$/
/** What URLs write as escapes, everything beyond ASCII included. */
const escaped = /[^!#-;=?-[\]_a-z~]/gu

/** One spelling for all that mean the same. */
const canonical = (text: string): string =>
  text
    .toWellFormed()
    .replace(/%([\da-f]{2})/gi, (spelling, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return unreserved.test(character) ? character : spelling.toUpperCase()
    })
    .replace(escaped, character => encodeURIComponent(character))

/** The path and query of a URL, spelt as patterns are. */
export const pathOf = (url: URL): string =>
  canonical(`${url.pathname}${url.search}`).replaceAll('*', '%2A').replaceAll('$', '%24')

function compileRule(pattern: string, isAllowed: boolean): Rule {
  const isAnchored = pattern.endsWith('$')
  const text = canonical(isAnchored ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24')
  return { isAllowed, octets: text.length + (isAnchored ? 1 : 0), parts: text.split('*'), isAnchored }
}

function fits({ parts, isAnchored }: Rule, path: string): boolean {
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  const last = others.pop()
  if (last === undefined) return !isAnchored || path.length === first.length
  let from = first.length
  for (const part of others) {
    const found = path.indexOf(part, from)
    if (found === -1) return false
    from = found + part.length
  }
  return isAnchored ? path.length - last.length >= from && path.endsWith(last) : path.indexOf(last, from) !== -1
}

/** So many are tried one after the other sooner than the characters of a path are looked up. */
const fewRules = 64

/** The first of those that fit decides. */
const byPrecedence = (a: Rule, b: Rule): number => b.octets - a.octets || Number(b.isAllowed) - Number(a.isAllowed)

function readGroups(text: string, token: string | null): { readonly own: Group | null; readonly others: Group | null } {
  const ownName = token?.toLowerCase()
  const groups: { own: Group | null; others: Group | null } = { own: null, others: null }
  let current = new Set<Group>()
  let isRunOfAgents = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const read = readLine(line)
    if (read === null) continue
    const { key, value } = read
    if (key === 'user-agent') {
      if (!isRunOfAgents) current = new Set()
      isRunOfAgents = true
      const name = /^(?:\*|[^\s/*]+)/.exec(value)?.[0]?.toLowerCase()
      const which = name === '*' ? 'others' : name !== undefined && name === ownName ? 'own' : null
      if (which !== null) {
        groups[which] ??= { rules: [], crawlDelayMs: null }
        current.add(groups[which])
      }
    } else if (key === 'crawl-delay') {
      for (const group of current) if (/^\d+(\.\d+)?$/.test(value)) group.crawlDelayMs = Number(value) * 1_000
    } else {
      isRunOfAgents = false
      if (value !== '') for (const group of current) group.rules.push(compileRule(value, key === 'allow'))
    }
  }
  return groups
}

/** The rules of `text` for the agent with this product token; null: for one without a name. */
export function parseRobots(text: string, token: string | null): RobotsRules {
  const { own, others } = readGroups(text.replace(/^\uFEFF/, ''), token)
  const group = own ?? others
  const rules = (group?.rules ?? []).toSorted(byPrecedence)
  const listsFor = rules.length <= fewRules ? () => [rules] : createGramIndex(rules, ({ parts }) => parts)
  return {
    allows(url) {
      // RFC 9309, 2.2.2: the file itself may always be asked for.
      if (rules.length === 0 || url.pathname === '/robots.txt') return true
      const path = pathOf(url)
      let decisive: Rule | null = null
      for (const list of listsFor(path)) {
        for (const rule of list) {
          if (decisive !== null && byPrecedence(decisive, rule) <= 0) break
          if (fits(rule, path)) decisive = rule
        }
      }
      return decisive?.isAllowed ?? true
    },
    crawlDelayMs: group?.crawlDelayMs ?? null,
  }
}
