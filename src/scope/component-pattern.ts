import { linearRegexOf } from '../core/linear-regex.ts'
import { regexText } from '../core/regex-text.ts'
import { createGlob } from './glob.ts'

/**
 * One component of a URL pattern, in the spelling that `URLPattern` gives its components, as a test that takes time linear
 * in the URL. The standard makes a regular expression of each, and one with several stars, or with a group of the user's,
 * can take longer than anybody lives for a path that a stranger chose, in a redirect, on the main thread.
 *
 * Only whether the whole component fits is asked, so greed and groups are of no matter: the expression written here stands
 * for the same set of texts as the one of the standard (URL Pattern, "generate a regular expression and name list").
 */
export interface ComponentKind {
  /** What `:name` stops at; empty: nothing. */
  readonly delimiter: string
  /** What belongs to a group that it stands in front of; empty: nothing does. */
  readonly prefix: string
}

export type TextTest = (text: string) => boolean

/** Text that stands for itself, `*`, and `:name`, without modifiers. */
// A name is taken whole: `:path*` has a modifier, and giving back its last letter would hide that.
const plain = /^(?:[^\\{}():*+?]|\*(?!\*)|:[A-Za-z_$][\w$]*(?![\w$*+?(\u0080-\uffff]))+$/

/** The same answers some twenty times faster: patterns are asked of every link of every page. Null: not that plain. */
function plainTest(text: string, { delimiter }: ComponentKind): TextTest | null {
  if (!plain.test(text)) return null
  const firstSpecial = text.search(/[*:]/)
  if (firstSpecial === -1) return whole => whole === text
  if (text[firstSpecial] === '*' && firstSpecial === text.length - 1) {
    const start = text.slice(0, -1)
    return whole => whole.startsWith(start)
  }
  if (!isDeterministic(text, delimiter)) return createGlob(text, delimiter)
  const source = text.replaceAll(/\*|:[A-Za-z_$][\w$]*|[^*:]+/g, part => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? `[^${regexText(delimiter)}]+` : regexText(part)
  })
  const expression = new RegExp(`^${source}$`, 's')
  return whole => expression.test(whole)
}

const name = /:[A-Za-z_$][\w$]*/

/** Each name ends at a delimiter or at the end, and a star, if there is one, stands last: no text fits in two ways. */
const isDeterministic = (text: string, delimiter: string): boolean =>
  delimiter !== '' &&
  !/\*./s.test(text) &&
  text
    .split(name)
    .slice(1)
    .every((behind, nth, all) => behind.startsWith(delimiter) || (behind === '' && nth === all.length - 1))

const token = /\\(?<escaped>[\s\S])|:(?<name>[\p{ID_Start}_$][\p{ID_Continue}$]*)|(?<mark>[{}*?+(])|(?<text>[\s\S])/uy

/** From its bracket to the one that closes it; the standard has made sure that there is one. */
export function groupAt(text: string, at: number): string {
  let depth = 0
  for (let end = at; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1
    else if (text[end] === '(') depth += 1
    else if (text[end] === ')' && --depth === 0) return text.slice(at, end + 1)
  }
  return text.slice(at)
}

/** `piece` any number of times as the modifier says, with what stands before and behind it each time. */
const repeated = (before: string, piece: string, behind: string, modifier: string): string =>
  modifier === '' ? `${before}${piece}${behind}` : `(?:${before}${piece}${behind})${modifier}`

function expressionOf(text: string, { delimiter, prefix }: ComponentKind): string {
  const segment = delimiter === '' ? '[^]+' : `[^${regexText(delimiter)}]+`
  let at = 0
  let written = ''

  const peek = (): RegExpExecArray | null => {
    token.lastIndex = at
    return token.exec(text)
  }
  const take = (wanted: (groups: Readonly<Record<string, string | undefined>>) => boolean): string | null => {
    const found = peek()
    if (found?.groups === undefined || !wanted(found.groups)) return null
    at += found[0].length
    return found.groups.escaped ?? found.groups.text ?? found[0]
  }
  const takeMark = (marks: string): string | null => take(({ mark }) => mark !== undefined && marks.includes(mark))
  const takeText = (): string => {
    let taken = ''
    for (;;) {
      const more = take(groups => groups.escaped !== undefined || groups.text !== undefined)
      if (more === null) return taken
      taken += more
    }
  }
  /** A name, a group of the user's, a name with such a group, or a star; null: none of these. */
  const takeMatcher = (): string | null => {
    const name = take(groups => groups.name !== undefined)
    if (text[at] === '(') {
      const group = groupAt(text, at)
      at += group.length
      return `(?:${group.slice(1, -1)})`
    }
    if (name !== null) return segment
    return takeMark('*') === null ? null : '[^]*'
  }

  while (at < text.length) {
    const startAt = at
    if (takeMark('{') !== null) {
      const before = regexText(takeText())
      const piece = takeMatcher() ?? ''
      const behind = regexText(takeText())
      takeMark('}')
      written += repeated(before, piece, behind, takeMark('*?+') ?? '')
      continue
    }
    const first = take(groups => groups.text !== undefined)
    const piece = takeMatcher()
    if (piece !== null) {
      const isPrefix = first !== null && first === prefix
      if (!isPrefix) written += regexText(first ?? '')
      written += repeated(isPrefix ? regexText(first) : '', piece, '', takeMark('*?+') ?? '')
    } else {
      written += regexText(first ?? take(groups => groups.escaped !== undefined) ?? '')
      // A mark without anything to mark: not written by the standard.
      if (at === startAt) at += 1
    }
  }
  return written
}

/** Null where a group of the user's cannot be matched in linear time. */
export function compileComponent(text: string, kind: ComponentKind): TextTest | null {
  return plainTest(text, kind) ?? linearRegexOf(`^(?:${expressionOf(text, kind)})$`, 'v')?.fits ?? null
}
