import { MillraceError } from '../core/errors.ts'
import { createGlob } from './glob.ts'

/**
 * URL patterns of a job (the WHATWG URL Pattern standard: `*`, `:name`, `{...}?`, `(regular expression)`).
 * A pattern that starts with `/` or `*` is over the path, with the query behind a `?` if it names one, of any host;
 * one with a scheme (`https://*.books.test/*`) is over the whole URL. What a pattern does not name may be anything.
 */
export type UrlTest = (url: URL) => boolean

/**
 * All in front of a query. A `?` behind a group or a name is a modifier of it, any other begins the query: behind a
 * `*` too, where the standard has an optional `*`, which says no more than `*` alone, and authors mean the query.
 */
const beforeQuery = /^(?:\\.|\((?:\\.|[^\\)])*\)\??|\{[^}]*\}\??|\*\?$|:[\p{ID_Start}_$][\p{ID_Continue}$]*\??|[^?])*/su

/** Text that a URL keeps as it is, `*`, and `:name`, without modifiers: what `plainTest` reads exactly as the standard does. */
// A name is taken whole: `:path*` has a modifier, and giving back its last letter would hide that.
const plainPath = /^(?:[\w/~!$&',;=@.-]|\*(?!\*)|:[A-Za-z_$][\w$]*(?![\w$*]))+$/
const plainParts = /\*|:[A-Za-z_$][\w$]*|[^*:]+/g

const isPathPattern = (text: string): boolean =>
  text.startsWith('/') || (text.startsWith('*') && !/^\*:\/\//.test(text))

function parsePattern(text: string): URLPattern | null {
  try {
    const front = beforeQuery.exec(text)?.[0] ?? text
    const query = front === text ? null : text.slice(front.length + 1)
    if (isPathPattern(text)) return new URLPattern({ pathname: front, ...(query === null ? {} : { search: query }) })
    if (!front.includes('://')) return null
    return new URLPattern(query === null ? text : `${front}\\?${query}`)
  } catch {
    return null
  }
}

/** The same answers some twenty times faster: patterns are asked of every link of every page. Null: not that plain. */
function plainTest(text: string): UrlTest | null {
  // Dot segments are resolved by the standard before it matches.
  if (!isPathPattern(text) || !plainPath.test(text) || text.includes('/.')) return null
  const firstSpecial = text.search(/[*:]/)
  if (firstSpecial === -1) return url => url.pathname === text
  if (firstSpecial === text.length - 1) {
    const prefix = text.slice(0, -1)
    return url => url.pathname.startsWith(prefix)
  }
  if (!isDeterministic(text)) return compileGlob(text)
  const source = text.replaceAll(plainParts, part =>
    part === '*' ? '.*' : part.startsWith(':') ? '[^/]+?' : part.replace(/[.$]/g, '\\$&'),
  )
  const expression = new RegExp(`^${source}$`)
  return url => expression.test(url.pathname)
}

/** Each name ends at a slash or at the end, and a star, if there is one, stands last: no path is matched in two ways. */
const isDeterministic = (text: string): boolean => /^(?:[^*:]|:[A-Za-z_$][\w$]*(?=\/|$))*\*?$/.test(text)

function compileGlob(text: string): UrlTest {
  const fits = createGlob(text)
  return url => fits(url.pathname)
}

function mustParse(text: string, path: string): URLPattern {
  const pattern = parsePattern(text)
  if (pattern !== null) return pattern
  throw new MillraceError(
    'CONFIG_INVALID',
    `${path}: ${JSON.stringify(text)} is not a URL pattern; write a path such as "/products/*" or "/:shop/item-*?page=*", ` +
      'or a whole URL such as "https://*.books.test/*"; put a backslash before any of ( ) { } : * + ? that is meant as itself',
  )
}

/**
 * @param path where the pattern stands in the job, for the message
 * @throws CONFIG_INVALID the pattern is malformed
 */
export function checkPattern(text: string, path: string): void {
  mustParse(text, path)
}

/** @throws CONFIG_INVALID the pattern is malformed */
export function compilePattern(text: string, path: string): UrlTest {
  const pattern = mustParse(text, path)
  return plainTest(text) ?? (url => pattern.test(url.href))
}
