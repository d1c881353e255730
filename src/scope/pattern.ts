import { MillraceError } from '../core/errors.ts'
import { type ComponentKind, compileComponent, groupAt } from './component-pattern.ts'

/**
 * URL patterns of a job (the WHATWG URL Pattern standard: `*`, `:name`, `{...}?`, `(regular expression)`).
 * A pattern that starts with `/` or `*` is over the path, with the query behind a `?` if it names one, of any host;
 * one with a scheme (`https://*.books.test/*`) is over the whole URL. What a pattern does not name may be anything.
 */
export type UrlTest = (url: URL) => boolean

/** What a `?` may stand behind as a modifier, or is hidden by. Groups are read by their brackets. */
const unit = /\\[\s\S]|\}\??|\*\?$|:[\p{ID_Start}_$][\p{ID_Continue}$]*\??|[^?]/uy

/**
 * Where the query begins. A `?` behind a group or a name is a modifier of it, any other begins the query: behind a `*`
 * too, where the standard has an optional `*`, which says no more than `*` alone, and authors mean the query.
 */
function queryAt(text: string): number {
  let at = 0
  while (at < text.length) {
    if (text[at] === '(') {
      at += groupAt(text, at).length
      if (text[at] === '?') at += 1
      continue
    }
    unit.lastIndex = at
    const taken = unit.exec(text)?.[0]
    if (taken === undefined) return at
    at += taken.length
  }
  return text.length
}

const isPathPattern = (text: string): boolean =>
  text.startsWith('/') || (text.startsWith('*') && !/^\*:\/\//.test(text))

function parsePattern(text: string): URLPattern | null {
  try {
    const front = text.slice(0, queryAt(text))
    const query = front === text ? null : text.slice(front.length + 1)
    if (isPathPattern(text)) return new URLPattern({ pathname: front, ...(query === null ? {} : { search: query }) })
    if (!front.includes('://')) return null
    return new URLPattern(query === null ? text : `${front}\\?${query}`)
  } catch {
    return null
  }
}

type Component = 'protocol' | 'username' | 'password' | 'hostname' | 'port' | 'pathname' | 'search' | 'hash'

interface ComponentRule extends ComponentKind {
  readonly of: (url: URL) => string
}

const free = { delimiter: '', prefix: '' }
const components: Readonly<Record<Component, ComponentRule>> = {
  protocol: { ...free, of: url => url.protocol.slice(0, -1) },
  username: { ...free, of: url => url.username },
  password: { ...free, of: url => url.password },
  hostname: { delimiter: '.', prefix: '', of: url => url.hostname },
  port: { ...free, of: url => url.port },
  pathname: { delimiter: '/', prefix: '/', of: url => url.pathname },
  search: { ...free, of: url => url.search.slice(1) },
  hash: { ...free, of: url => url.hash.slice(1) },
}

/** A test for each component that the pattern names. */
function testsOf(pattern: URLPattern, text: string, path: string): readonly UrlTest[] {
  return (Object.entries(components) as [Component, ComponentRule][])
    .filter(([component]) => pattern[component] !== '*')
    .map(([component, rule]) => {
      const fits = compileComponent(pattern[component], rule)
      if (fits === null)
        throw new MillraceError(
          'CONFIG_INVALID',
          `${path}: ${JSON.stringify(text)} has a group that could take for ever on some URLs; ` +
            'a group may have anything but look-around ((?=...), (?!...), (?<=...), (?<!...)) and repetitions of more than a thousand: ' +
            'say what is not meant with scope.exclude, or with a page rule in front of this one',
        )
      return url => fits(rule.of(url))
    })
}

/** Who writes `(?!...)` has something in mind that is said elsewhere. */
const lookAroundHint = (text: string): string =>
  /\(\?<?[=!]/.test(text)
    ? '; a group cannot look ahead or behind: say what is not meant with scope.exclude, or with a page rule in front of this one'
    : ''

function mustParse(text: string, path: string): URLPattern {
  const pattern = parsePattern(text)
  if (pattern !== null) return pattern
  throw new MillraceError(
    'CONFIG_INVALID',
    `${path}: ${JSON.stringify(text)} is not a URL pattern; write a path such as "/products/*" or "/:shop/item-*?page=*", ` +
      'or a whole URL such as "https://*.books.test/*"; put a backslash before any of ( ) { } : * + ? that is meant as itself' +
      lookAroundHint(text),
  )
}

/**
 * @param path where the pattern stands in the job, for the message
 * @throws CONFIG_INVALID the pattern is malformed, or cannot be matched in linear time
 */
export function checkPattern(text: string, path: string): void {
  compilePattern(text, path)
}

/** @throws CONFIG_INVALID as `checkPattern` */
export function compilePattern(text: string, path: string): UrlTest {
  const [first, ...others] = testsOf(mustParse(text, path), text, path)
  if (first === undefined) return () => true
  return others.length === 0 ? first : url => first(url) && others.every(fits => fits(url))
}
