import { _compileToken } from 'css-select'
import { isTraversal, parse, type Selector } from 'css-what'
import { adapter } from './dom/adapter.ts'
import {
  append,
  createElement,
  createRoot,
  isElement,
  type TreeElement,
  type TreeNode,
  type TreeParent,
} from './dom/node.ts'
import type { Tree } from './dom/tree.ts'
import { nextNode } from './dom/walk.ts'
import { positionalOf, selectByPosition } from './positional.ts'
import { isPositional, someToken } from './selector.ts'

/**
 * A selector, compiled once and used on page after page. Finds what cheerio's `find` would, in document order.
 *
 * cheerio compiles a selector anew for each query, because the compiled form holds the scope of the query and, for
 * speed, what it has learnt about ancestors. Three cases make that unnecessary:
 * - over a whole page there is no scope, and what was learnt about a node stays true;
 * - below an element, a selector of one compound ("h3.title") says nothing about ancestors, so neither matters;
 * - below an element, any other selector is compiled for a scope that is put in its place before each query, and
 *   remembers nothing.
 */
export interface Finder {
  first(scope: TreeParent, tree: Tree): TreeElement | null
  all(scope: TreeParent, tree: Tree): readonly TreeElement[]
}

/** Where a finder will be asked: over the whole page, or below an element. */
export type FinderScope = 'page' | 'element'

type Test = (element: TreeElement) => boolean

/** @throws Error when `checkSelector` has something against it */
export function createFinder(selector: string, scope: FinderScope): Finder {
  const selectors = parse(selector)
  if (selectors.some(tokens => tokens.some(isPositional))) return createListFinder(selector)
  if (scope === 'page') return createPageFinder(selector, selectors)
  return createElementFinder(selector, selectors)
}

/** Positions count matches, so the list must be made first. */
function createListFinder(selector: string): Finder {
  const isFromScope = startsAtScope(selector)
  const positional = positionalOf(selector)
  return {
    first: (scope, tree) => selectByPosition(positional, scope, tree, isFromScope, 1)[0] ?? null,
    all: (scope, tree) => selectByPosition(positional, scope, tree, isFromScope, Number.POSITIVE_INFINITY),
  }
}

/**
 * css-select can remember of each node that no ancestor fits. On usual pages that costs more than it saves (a quarter
 * of the time of six selectors with descendants); on huge ones it keeps deep nesting from being quadratic.
 */
const hugeElements = 20_000

function createPageFinder(selector: string, selectors: readonly Selector[][]): Finder {
  const tag = onlyTag(selectors)
  const options = { adapter, context: [createRoot()] }
  const forgetful: Test = _compileToken(parse(selector), { ...options, cacheResults: false })
  const mindful: Test = _compileToken(parse(selector), options)
  const candidates = (tree: Tree): readonly TreeElement[] => (tag === null ? tree.elements : tree.named(tag))
  const testFor = (tree: Tree): Test => (tree.elements.length < hugeElements ? forgetful : mindful)
  return {
    first: (_, tree) => candidates(tree).find(testFor(tree)) ?? null,
    all: (_, tree) => candidates(tree).filter(testFor(tree)),
  }
}

/** The tag name that every match has, where the selector says so. */
function onlyTag(selectors: readonly Selector[][]): string | null {
  const [tokens] = selectors
  if (tokens === undefined || selectors.length > 1) return null
  const compound = tokens.slice(tokens.findLastIndex(isTraversal) + 1)
  const tag = compound.find(token => token.type === 'tag')
  return tag === undefined ? null : tag.name.toLowerCase()
}

function createElementFinder(selector: string, selectors: Selector[][]): Finder {
  const isScoped = someToken(
    selectors,
    token => isTraversal(token) || (token.type === 'pseudo' && token.name === 'scope'),
  )
  const wantsSiblings = selectors.some(([first]) => first?.type === 'adjacent' || first?.type === 'sibling')
  const isFromScope = startsAtScope(selector)
  const testIn = isScoped ? createScopedTest(selector) : createPlainTest(selectors)

  /** From the scope itself where the selector may match it or its siblings, or else below it, until `found` says so. */
  const query = (scope: TreeParent, found: (element: TreeElement) => boolean): void =>
    testIn(scope, test => {
      const end = isFromScope && wantsSiblings ? scope.parent : scope
      let node: TreeNode | null = isFromScope ? scope : nextNode(scope, scope)
      while (node !== null && !(isElement(node) && test(node) && found(node))) node = nextNode(node, end)
    })
  return {
    first(scope) {
      let first: TreeElement | null = null
      query(scope, element => {
        first = element
        return true
      })
      return first
    },
    all(scope) {
      const all: TreeElement[] = []
      query(scope, element => {
        all.push(element)
        return false
      })
      return all
    },
  }
}

const startsAtScope = (selector: string): boolean => /^\s*(?:[+~]|:scope\b)/.test(selector)

type TestIn = (scope: TreeParent, use: (test: Test) => void) => void

function createPlainTest(selectors: Selector[][]): TestIn {
  const test: Test = _compileToken(selectors, { adapter })
  return (_, use) => use(test)
}

/** css-select decides by the scope's parent whether a selector is relative to the scope: one form for each. */
function createScopedTest(selector: string): TestIn {
  const parent = createElement('placeholder')
  const inner = createElement('placeholder')
  append(parent, inner)
  const forms = { inner: createForm(selector, inner), outer: createForm(selector, parent) }
  return (scope, use) => {
    const form = scope.parent !== null && isElement(scope.parent) ? forms.inner : forms.outer
    form.context[0] = scope
    try {
      use(form.test)
    } finally {
      // Or the whole page would stay in memory until the next one.
      form.context[0] = form.placeholder
    }
  }
}

function createForm(
  selector: string,
  placeholder: TreeElement,
): { readonly context: TreeNode[]; readonly placeholder: TreeElement; readonly test: Test } {
  const context: TreeNode[] = [placeholder]
  const test: Test = _compileToken(parse(selector), { adapter, context, cacheResults: false })
  return { context, placeholder, test }
}
