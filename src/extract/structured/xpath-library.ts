import { textOf } from '../dom/text.ts'
import { xpathLibrary } from './library.ts'
import type { NodeSet, XPathLibrary, XPathStep } from './xpath-contract.ts'
import { nextOutside, type ViewNode } from './xpath-view.ts'

let mended: XPathLibrary | null = null

/**
 * The XPath library with some of its parts replaced: it compares each node of a set with all
 * others, sorts with a tree that it walks by itself, carries a node as often as there are ways to it from step to step
 * (`//div//div` over nested ones), calls itself once a level for a text, and gives `following` and `preceding` nodes that stand
 * in one another.
 */
export function xpath(): XPathLibrary {
  mended ??= mend(xpathLibrary())
  return mended
}

function mend(library: XPathLibrary): XPathLibrary {
  const { PathExpr, Step, XNodeSet } = library
  const merged = createMerger(library)
  const replacements: Omit<NodeSet, 'nodes' | 'size'> & ThisType<NodeSet> = {
    add(node) {
      this.members ??= new Set(this.nodes)
      if (this.members.has(node)) return
      this.members.add(node)
      this.nodes.push(node)
      this.size += 1
    },
    addArray(nodes) {
      for (const node of nodes) this.add(node)
    },
    toArray() {
      return this.nodes.toSorted((one, other) => one.order - other.order)
    },
    first() {
      let first: ViewNode | null = null
      for (const node of this.nodes) if (first === null || node.order < first.order) first = node
      return first
    },
    stringForContainerNode: node => (node.source === null ? '' : textOf(node.source)),
  }
  Object.assign(XNodeSet.prototype, replacements)
  const { applySteps, applyStep } = PathExpr
  PathExpr.applySteps = (steps, context, nodes) => {
    let found = nodes
    for (const step of merged(steps)) found = [...new Set(applySteps([step], context, found))]
    return [...found]
  }
  PathExpr.applyStep = (step, context, node) => {
    const nodes = step.axis === Step.FOLLOWING ? following(node) : step.axis === Step.PRECEDING ? preceding(node) : null
    return nodes === null
      ? applyStep(step, context, node)
      : [...nodes].filter(each => step.nodeTest.matches(each, context))
  }
  return library
}

/** Truth values; a number would be a position. */
const tests = /^(?:contains|starts-with|not|boolean|has-class|re:test)$/

/**
 * `//p` is short for two steps, over all nodes and then to their children. Where no predicate counts positions, which are
 * those among siblings, one step finds the same.
 */
function createMerger(library: XPathLibrary): (steps: readonly XPathStep[]) => readonly XPathStep[] {
  const { Step, AndOperation, EqualsOperation, FunctionCall, NotEqualOperation, OrOperation } = library
  const truths = [AndOperation, EqualsOperation, NotEqualOperation, OrOperation].map(({ prototype }) => prototype)
  const known = new WeakMap<readonly XPathStep[], readonly XPathStep[]>()

  const countsNothing = (predicate: object): boolean => {
    const prototype = Object.getPrototypeOf(predicate)
    const isTest =
      prototype === FunctionCall.prototype && 'functionName' in predicate && tests.test(String(predicate.functionName))
    return (isTest || truths.includes(prototype)) && !/\b(?:position|last)\(/.test(String(predicate))
  }
  const isAny = ({ axis, nodeTest, predicates }: XPathStep): boolean =>
    axis === Step.DESCENDANTORSELF && predicates.length === 0 && String(nodeTest) === 'node()'

  function merge(steps: readonly XPathStep[]): readonly XPathStep[] {
    const result: XPathStep[] = []
    for (const step of steps) {
      const before = result.at(-1)
      const isShort = before !== undefined && isAny(before) && step.axis === Step.CHILD
      if (isShort && step.predicates.every(countsNothing)) {
        result.pop()
        result.push(Object.assign(Object.create(Object.getPrototypeOf(step)), step, { axis: Step.DESCENDANT }))
      } else result.push(step)
    }
    return result
  }

  return steps => {
    const result = known.get(steps) ?? merge(steps)
    known.set(steps, result)
    return result
  }
}

function* following(node: ViewNode): Generator<ViewNode> {
  const { ownerElement } = node
  let at = ownerElement === null ? nextOutside(node) : (ownerElement.firstChild ?? nextOutside(ownerElement))
  for (; at !== null; at = at.firstChild ?? nextOutside(at)) yield at
}

/** Without those that `node` stands in. */
function* preceding(node: ViewNode): Generator<ViewNode> {
  const end = node.ownerElement ?? node
  const around = new Set<ViewNode>()
  for (let at: ViewNode | null = end; at !== null; at = at.parentNode) around.add(at)
  for (let at = end.ownerDocument?.firstChild ?? null; at !== null && at !== end; at = at.firstChild ?? nextOutside(at))
    if (!around.has(at)) yield at
}
