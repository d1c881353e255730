import { _compileToken, aliases, filters, pseudos } from 'css-select'
import { isTraversal, parse, type Selector } from 'css-what'
import { nearest } from '../core/nearest.ts'
import { adapter } from './dom/adapter.ts'

/** jQuery's positional pseudo-classes: they speak of the list of matches, not of one element (cheerio has them too). */
const positional = ['first', 'last', 'eq', 'nth', 'gt', 'lt', 'even', 'odd']
const positionalWithNumber = ['eq', 'nth', 'gt', 'lt']
const nesting = ['is', 'where', 'matches', 'not', 'has']

export const pseudoNames: readonly string[] = [
  ...Object.keys(filters),
  ...Object.keys(pseudos),
  ...Object.keys(aliases),
  ...nesting,
  ...positional,
]

/** What is wrong with a selector, and where. */
export interface SelectorProblem {
  /** Index of the character from which on it cannot be read. */
  readonly index: number
  readonly reason: string
  readonly nearest: string | null
}

const nestedIn = (token: Selector): readonly Selector[][] =>
  token.type === 'pseudo' && Array.isArray(token.data) ? token.data : []

/** True where the selector, or one inside its pseudo-classes, has a token for which `test` holds. */
export const someToken = (selectors: readonly (readonly Selector[])[], test: (token: Selector) => boolean): boolean =>
  selectors.some(tokens => tokens.some(token => test(token) || someToken(nestedIn(token), test)))

/** Told apart as cheerio-select does it: at the top, or anywhere inside `:not()`. */
export const isPositional = (token: Selector): boolean =>
  token.type === 'pseudo' &&
  (positional.includes(token.name) ||
    (token.name === 'not' && nestedIn(token).some(tokens => tokens.some(isPositional))))

/** Bounds the search for the place of an error, which is quadratic. */
const maxLength = 2_000

/** Null: the selector can be used. */
export function checkSelector(selector: string): SelectorProblem | null {
  if (selector.trim() === '') return { index: 0, reason: 'it is empty', nearest: null }
  if (selector.length > maxLength)
    return { index: maxLength, reason: `it is longer than ${maxLength} characters`, nearest: null }
  const foreign = foreignSuffix(selector)
  if (foreign !== null) return foreign
  try {
    const selectors = parse(selector)
    const unknown = unknownPseudo(selectors)
    if (unknown !== null)
      return {
        index: Math.max(0, selector.toLowerCase().indexOf(`:${unknown}`)),
        reason: `there is no pseudo-class :${unknown}`,
        nearest: nearest(unknown, pseudoNames),
      }
    tryOut(selectors)
    return null
  } catch (thrown) {
    return { index: readableLength(selector), reason: reasonOf(thrown), nearest: null }
  }
}

/** What other tools write behind a selector to say what is read. */
function foreignSuffix(selector: string): SelectorProblem | null {
  const suffix = /(?:::text|::attr\(([^()]*)\)|(?<!\\)@([\w:-]+))\s*$/.exec(selector)
  if (suffix === null) return null
  const [written, ...names] = suffix
  const name = names.find(each => each !== undefined)?.trim()
  const element = JSON.stringify(selector.slice(0, suffix.index).trim())
  const reason =
    name === undefined
      ? `the text of ${element} is read without "${written.trim()}"`
      : `an attribute is read by { selector: ${element}, value: ${name} }`
  return { index: suffix.index, reason, nearest: null }
}

function unknownPseudo(selectors: readonly Selector[][]): string | null {
  for (const token of selectors.flat()) {
    if (token.type !== 'pseudo') continue
    if (!pseudoNames.includes(token.name)) return token.name
    const inside = unknownPseudo(nestedIn(token))
    if (inside !== null) return inside
  }
  return null
}

/** @throws Error what css-select has against it. Its own compiler sees everything but the positional tokens. */
function tryOut(selectors: Selector[][]): void {
  for (const tokens of selectors) {
    const last = tokens.at(-1)
    if (last === undefined || isTraversal(last)) throw new Error('it ends where an element should follow')
    for (const [index, token] of tokens.entries()) if (token.type === 'tag') tryName(token.name, tokens[index - 1])
    for (const token of tokens.filter(isPositional)) tryPositional(token)
  }
  const plain = selectors.map(tokens => tokens.filter(token => !isPositional(token)))
  _compileToken(plain, { adapter })
}

/** The parser takes whatever it does not know for a name, and such a selector would find nothing. */
function tryName(name: string, before: Selector | undefined): void {
  if (!/^[a-z]/i.test(name)) throw new Error(`no element is called "${name}"`)
  if (before !== undefined && !isTraversal(before)) throw new Error(`the name "${name}" has to stand first`)
}

function tryPositional(token: Selector): void {
  if (token.type !== 'pseudo') return
  if (token.name === 'not') {
    tryOut(nestedIn(token).map(tokens => [...tokens]))
    return
  }
  const wantsNumber = positionalWithNumber.includes(token.name)
  if (wantsNumber !== (token.data !== null) || (wantsNumber && !/^\s*-?\d+\s*$/.test(String(token.data))))
    throw new Error(`:${token.name} takes ${wantsNumber ? 'a whole number in parentheses' : 'no argument'}`)
}

/**
 * The parser tells its reason but mostly not the place. What can be read up to an error is the longest part from the
 * start that is a selector by itself or with another element behind it, so the place is where that part ends.
 */
function readableLength(selector: string): number {
  let length = selector.length
  while (length > 0 && !isReadable(selector.slice(0, length)) && !isReadable(`${selector.slice(0, length)} *`))
    length -= 1
  return length
}

function isReadable(selector: string): boolean {
  try {
    const selectors = parse(selector)
    tryOut(selectors)
    return unknownPseudo(selectors) === null
  } catch {
    return false
  }
}

/** Some of the parser's messages repeat the rest of the selector, which is told by its place already. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message.replace(/(: |, found ).*$/s, '') : String(thrown)
