import type { ViewNode } from './xpath-view.ts'

/** The parts of the XPath library that we use, or replace. */

export interface XPathLibrary {
  parse(expression: string): ParsedXPath
  readonly XNodeSet: { readonly prototype: NodeSet }
  readonly PathExpr: {
    applySteps(steps: readonly XPathStep[], context: unknown, nodes: readonly ViewNode[]): ViewNode[]
    applyStep(step: XPathStep, context: unknown, node: ViewNode): ViewNode[]
  }
  readonly Step: Readonly<Record<'FOLLOWING' | 'PRECEDING' | 'CHILD' | 'DESCENDANT' | 'DESCENDANTORSELF', number>>
  readonly XNumber: { readonly prototype: object }
  readonly XBoolean: { readonly prototype: object }
  readonly FunctionCall: { readonly prototype: object }
  readonly EqualsOperation: { readonly prototype: object }
  readonly NotEqualOperation: { readonly prototype: object }
  readonly AndOperation: { readonly prototype: object }
  readonly OrOperation: { readonly prototype: object }
}

export interface XPathStep {
  readonly axis: number
  readonly nodeTest: { matches(node: ViewNode, context: unknown): boolean; toString(): string }
  readonly predicates: readonly object[]
}

export interface ParsedXPath {
  readonly expression: object
  evaluate(options: XPathOptions): XPathResult
}

export interface XPathOptions {
  readonly node: ViewNode
  readonly namespaces: (prefix: string) => string | undefined
  readonly functions: (name: string, namespace: string) => XPathFunction | undefined
}

export type XPathFunction = (context: { readonly contextNode: ViewNode }, ...args: readonly XPathResult[]) => unknown

/** A value of one of the four types. */
export interface XPathResult {
  stringValue(): string
  numberValue(): number
  booleanValue(): boolean
  /** Only node-sets have it. */
  toArray?(): readonly ViewNode[]
}

export interface NodeSet {
  nodes: ViewNode[]
  size: number
  members?: Set<ViewNode>
  add(node: ViewNode): void
  addArray(nodes: readonly ViewNode[]): void
  toArray(): readonly ViewNode[]
  first(): ViewNode | null
  stringForContainerNode(node: ViewNode): string
}
