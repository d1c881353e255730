import { _compileToken, type Options } from 'css-select'
import { isTraversal, parse, type Selector, SelectorType } from 'css-what'
import { adapter } from './dom/adapter.ts'
import { isElement, type TreeElement, type TreeNode, type TreeParent } from './dom/node.ts'
import type { Tree } from './dom/tree.ts'
import { childrenOf, nextNode } from './dom/walk.ts'
import { nextSiblingsToo, withoutNested } from './node-sets.ts'
import { isPositional, someToken } from './selector.ts'

/**
 * jQuery's positions (`:first`, `:last`, `:eq(2)`, ...), as cheerio has them: a selector is read from left to right, a
 * position chooses from the list of all that has matched so far, and what follows goes on from there. It does so from
 * each element that was chosen and from no other, and what it finds is in document order, as in jQuery. cheerio forgets
 * those inside another chosen one (`div:even > p`), and takes the siblings behind them for chosen too
 * (`li:first + li` finds all but the first).
 *
 * cheerio-select does it in time that grows with the square of how deep a page nests, or of how long its lists are. Here
 * each part of a selector costs one walk below where it begins.
 */

type Test = (element: TreeElement) => boolean
type Elements = readonly TreeElement[]
type Part = readonly (readonly Selector[])[]
type Position = Extract<Selector, { readonly type: 'pseudo' }>
type CompileOptions = Options<TreeNode, TreeElement>

/** A selector that has positions in it, made ready: what needs no scope is compiled once, and kept by its first token. */
export interface PositionalSelector {
  readonly selectors: Part
  readonly tests: WeakMap<Selector, Compiled>
}

export const positionalOf = (selector: string): PositionalSelector => ({
  selectors: parse(selector),
  tests: new WeakMap(),
})

/** What all parts of one query have in common. */
interface Query {
  readonly tests: PositionalSelector['tests']
  readonly tree: Tree
  readonly options: CompileOptions
  /** Whether all that is looked at is below the scope anyway. */
  readonly isBelowScope: boolean
}

const universal: Selector = { type: SelectorType.Universal, namespace: null }
const scopeToken: Selector = { type: SelectorType.Pseudo, name: 'scope', data: null }
const unlimited = Number.POSITIVE_INFINITY

/**
 * @param start where a search begins: with the scope's siblings in sight it is the scope, or else what is in it
 * @param limit how many are wanted
 */
export function selectByPosition(
  { selectors, tests }: PositionalSelector,
  scope: TreeParent,
  tree: Tree,
  startsAtScope: boolean,
  limit: number,
): Elements {
  const start = (startsAtScope ? [scope] : childrenOf(scope)).filter(isElement)
  const query: Query = { tests, tree, options: { adapter, context: [scope] }, isBelowScope: !startsAtScope }
  const [plain, positional] = grouped(selectors)
  const found = positional.map(tokens => selectPart(start, tokens, query, true, limit))
  if (plain.length > 0) found.push(searched(start, plain, query, limit))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  return tree.inOrder([...new Set(found.flat())])
}

const hasPosition = (tokens: readonly Selector[]): boolean => tokens.some(isPositional)

const grouped = (selectors: Part) =>
  [selectors.filter(tokens => !hasPosition(tokens)), selectors.filter(hasPosition)] as const

/**
 * A selector with a position, from a list of elements on.
 * @param start null: the whole page
 * @param isSearch what is before the position is looked for below them too, and not only among them
 */
function selectPart(
  start: Elements | null,
  tokens: readonly Selector[],
  query: Query,
  isSearch: boolean,
  limit: number,
): Elements {
  const at = tokens.findIndex(isPositional)
  const position = tokens[at] as Position
  const before = tokens.slice(0, at)
  const after = tokens.slice(at + 1)
  const wanted = reachOf(position, after.length === 0 ? limit : unlimited)
  if (wanted === 0) return []
  const chosen = choose(position, matchesOf(start, before, query, isSearch, wanted).slice(0, wanted), query)
  if (chosen.length === 0 || after.length === 0) return chosen
  return goOn(chosen, after, query, limit)
}

function matchesOf(
  start: Elements | null,
  before: readonly Selector[],
  query: Query,
  isSearch: boolean,
  wanted: number,
): Elements {
  if (before.length === 0) return start ?? childrenOf(query.tree.root).filter(isElement)
  if (start === null || isSearch || before.some(isTraversal)) return searched(start, [before], query, wanted)
  return filtered(start, [before], query)
}

/** What stands behind a position: further tests of what was chosen, and then a way on from there. */
function goOn(chosen: Elements, after: readonly Selector[], query: Query, limit: number): Elements {
  const way = after.findIndex(isTraversal)
  if (way === 0) return goFrom(chosen, after, query, limit)
  if (way === -1) return tested(chosen, after, query, limit)
  return goFrom(tested(chosen, after.slice(0, way), query, unlimited), after.slice(way), query, limit)
}

function tested(chosen: Elements, tokens: readonly Selector[], query: Query, limit: number): Elements {
  const { rootFunc: _, ...options } = query.options
  const inner = { ...query, options }
  return hasPosition(tokens) ? selectPart(chosen, tokens, inner, false, limit) : filtered(chosen, [tokens], inner)
}

/** @param after begins with a combinator */
function goFrom(chosen: Elements, after: readonly Selector[], query: Query, limit: number): Elements {
  const isSideways = after[0]?.type === 'sibling' || after[0]?.type === 'adjacent'
  const start = isSideways ? query.tree.inOrder(withoutNested(nextSiblingsToo(chosen))) : chosen
  const roots: ReadonlySet<TreeElement> = new Set(chosen)
  const options: CompileOptions = { ...query.options, relativeSelector: false, rootFunc: roots.has.bind(roots) }
  const inner: Query = { ...query, options, isBelowScope: false }
  const tokens = [universal, ...after]
  return hasPosition(after) ? selectPart(start, tokens, inner, false, limit) : searched(start, [tokens], inner, limit)
}

const numberOf = ({ data }: Position): number => (typeof data === 'string' ? Number.parseInt(data, 10) : Number.NaN)

/** How many matches must be known for a position. */
function reachOf(position: Position, limit: number): number {
  const number = numberOf(position)
  switch (position.name) {
    case 'first':
      return 1
    case 'eq':
    case 'nth':
      return number >= 0 ? number + 1 : unlimited
    case 'lt':
      return number >= 0 ? Math.min(number, limit) : unlimited
    case 'odd':
      return 2 * limit
    case 'even':
      return 2 * limit - 1
    default:
      return unlimited
  }
}

function choose(position: Position, elements: Elements, query: Query): Elements {
  const number = numberOf(position)
  switch (position.name) {
    case 'last':
      return elements.slice(-1)
    case 'eq':
    case 'nth': {
      const element = Math.abs(number) < elements.length ? elements.at(number) : undefined
      return element === undefined ? [] : [element]
    }
    case 'gt':
      return elements.slice(number + 1)
    case 'even':
      return elements.filter((_, place) => place % 2 === 0)
    case 'odd':
      return elements.filter((_, place) => place % 2 === 1)
    case 'not': {
      const others = new Set(among(elements, position.data as Selector[][], query))
      return elements.filter(element => !others.has(element))
    }
    default:
      // :first and :lt are as many as were looked for.
      return elements
  }
}

/** Which of some elements fit selectors, of which one at least has a position. */
function among(elements: Elements, selectors: Part, query: Query): Elements {
  if (elements.length === 0) return []
  const [plain, positional] = grouped(selectors)
  const found = new Set(plain.length === 0 ? [] : filtered(elements, plain, query))
  for (const tokens of positional) for (const element of amongByPosition(elements, tokens, query)) found.add(element)
  return elements.filter(element => found.has(element))
}

function amongByPosition(elements: Elements, tokens: readonly Selector[], query: Query): Elements {
  if (!tokens.some(isTraversal)) return selectPart(elements, tokens, query, false, elements.length)
  const options = { ...query.options, context: [...elements], relativeSelector: false }
  const inner: Query = { ...query, options, isBelowScope: false }
  return selectPart(null, [...tokens, scopeToken], inner, true, elements.length)
}

interface Compiled extends Test {
  readonly shouldTestNextSiblings?: boolean
}

const speaksOfOthers = (selectors: Part): boolean =>
  someToken(selectors, token => isTraversal(token) || (token.type === 'pseudo' && token.name === 'scope'))

/** css-select changes what it is given. */
const compile = (selectors: Part, options: CompileOptions): Compiled =>
  _compileToken(structuredClone(selectors) as Selector[][], options)

/**
 * What says nothing of other elements needs no scope where all that is looked at is below it: css-select would climb up
 * to it from each.
 */
function compiled(selectors: Part, { options, isBelowScope, tests }: Query): Compiled {
  const [first] = selectors[0] ?? []
  const known = isBelowScope && first !== undefined ? tests.get(first) : undefined
  if (known !== undefined) return known
  if (first === undefined || !isBelowScope || speaksOfOthers(selectors)) return compile(selectors, options)
  const test = compile(selectors, { adapter })
  tests.set(first, test)
  return test
}

const filtered = (elements: Elements, selectors: Part, query: Query): Elements =>
  elements.filter(compiled(selectors, query))

/** Among some elements and below them; of the whole page, among all. */
function searched(start: Elements | null, selectors: Part, query: Query, limit: number): Elements {
  const test = compiled(selectors, query)
  const found: TreeElement[] = []
  const tops =
    start === null
      ? childrenOf(query.tree.root)
      : withoutNested(test.shouldTestNextSiblings === true ? nextSiblingsToo(start) : start)
  for (const top of tops)
    for (let node: TreeNode | null = top; node !== null && found.length < limit; node = nextNode(node, top))
      if (isElement(node) && test(node)) found.push(node)
  return found
}
