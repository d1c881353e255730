/**
 * As much of the DOM as we touch ourselves. Looked at one step at a time, since the lists of children of the library are
 * made anew for each question.
 */
export interface DomNode {
  readonly nodeType: number
  /** In capitals. */
  readonly nodeName: string
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
}

export interface DomElement extends DomNode {
  readonly innerHTML: string
  append(node: DomNode): void
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  querySelector(selector: string): DomElement | null
}

export interface DomDocument extends DomNode {
  readonly documentElement: DomElement
  readonly head: DomElement
  readonly body: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomNode
}

export const isNamed = (node: DomNode | null, ...names: readonly string[]): boolean =>
  node !== null && names.includes(node.nodeName)

const isElement = (node: DomNode | null): node is DomElement => node?.nodeType === 1

export const attribute = (node: DomNode | null, name: string): string | null =>
  isElement(node) ? node.getAttribute(name) : null

export function* elementsIn(parent: DomNode): Generator<DomElement> {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) if (isElement(node)) yield node
}
