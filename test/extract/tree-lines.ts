import type { AnyNode } from 'domhandler'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { attributesOf } from '../../src/extract/dom/attribute-store.ts'
import { isElement, type TreeNode } from '../../src/extract/dom/node.ts'
import { dataOf } from '../../src/extract/dom/text.ts'
import { childrenOf } from '../../src/extract/dom/walk.ts'

/** Trees of three kinds as lines, one per node, so that they can be compared. */
interface Line {
  readonly depth: number
  readonly kind: string
  readonly text: string
}

type Attributes = readonly (readonly [name: string, value: string])[]

function createLines() {
  const lines: Line[] = []
  return {
    add(depth: number, kind: string, text: string): void {
      const last = lines.at(-1)
      // Whether neighbouring texts are one node or two shows in nothing that is read.
      if (kind === 'text' && last?.kind === 'text' && last.depth === depth)
        lines[lines.length - 1] = { ...last, text: last.text + text }
      else lines.push({ depth, kind, text })
    },
    element(depth: number, name: string, attributes: Attributes, isForeign: boolean): void {
      // By name, since objects have an order of their own for names that are numbers.
      const written = attributes.map(([attribute, value]) => ` ${attribute}=${JSON.stringify(value)}`).sort()
      lines.push({ depth, kind: isForeign ? 'foreign' : 'element', text: `${name}${written.join('')}` })
    },
    all: (): readonly string[] => lines.map(({ depth, kind, text }) => `${' '.repeat(depth)}${kind} ${text}`),
  }
}

export function linesOfTree(root: TreeNode): readonly string[] {
  const lines = createLines()
  const visit = (node: TreeNode, depth: number): void => {
    if (isElement(node)) lines.element(depth, node.name, attributesOf(node), node.isForeign)
    else lines.add(depth, node.type, 'data' in node ? dataOf(node) : '')
    for (const child of childrenOf(node)) {
      if (child.parent !== node) throw new Error(`${child.type} does not know its parent`)
      visit(child, depth + 1)
    }
  }
  visit(root, 0)
  return lines.all()
}

export function linesOfDomHandler(root: AnyNode): readonly string[] {
  const lines = createLines()
  const visit = (node: AnyNode, depth: number): void => {
    if ('attribs' in node) lines.element(depth, node.name, Object.entries(node.attribs), false)
    else lines.add(depth, node.type, 'data' in node ? node.data : '')
    if ('children' in node) for (const child of node.children) visit(child, depth + 1)
  }
  visit(root, 0)
  return lines.all()
}

const html = 'http://www.w3.org/1999/xhtml'

export function linesOfParse5(root: DefaultTreeAdapterTypes.Document): readonly string[] {
  const lines = createLines()
  const visit = (node: DefaultTreeAdapterTypes.Node, depth: number): void => {
    if ('value' in node) lines.add(depth, 'text', node.value)
    else if ('data' in node) lines.add(depth, 'comment', node.data)
    else if ('publicId' in node) lines.add(depth, 'directive', doctypeOf(node))
    else if ('tagName' in node) {
      const attributes = node.attrs.map(
        ({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const,
      )
      lines.element(depth, node.tagName, attributes, node.namespaceURI !== html)
    } else lines.add(depth, 'root', '')
    if ('content' in node) visit(node.content, depth + 1)
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, depth + 1)
  }
  visit(root, 0)
  return lines.all()
}

function doctypeOf({ name, publicId, systemId }: DefaultTreeAdapterTypes.DocumentType): string {
  const quoted = (id: string): string => (id.includes('"') ? `'${id}'` : `"${id}"`)
  const ids = publicId ? ['PUBLIC', quoted(publicId)] : systemId ? ['SYSTEM'] : []
  return ['!DOCTYPE', name, ...ids, ...(systemId ? [quoted(systemId)] : [])].join(' ')
}
