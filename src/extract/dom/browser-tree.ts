import type { html as Standard, Token, TreeAdapter } from 'parse5'
import { lateLibrary } from '../../core/late-library.ts'
import {
  append,
  createElement,
  createLeaf,
  createRoot,
  detach,
  insertBefore,
  isElement,
  type ListedAttribute,
  type ListedAttributes,
  type ParsedTree,
  type TreeElement,
  type TreeLeaf,
  type TreeNode,
  type TreeParent,
  type TreeRoot,
} from './node.ts'
import { listChildren, nextNode } from './walk.ts'

interface BrowserTypes {
  node: TreeNode
  parentNode: TreeParent
  childNode: TreeNode
  document: TreeRoot
  documentFragment: TreeRoot
  element: TreeElement
  commentNode: TreeLeaf
  textNode: TreeLeaf
  template: TreeElement
  documentType: TreeLeaf
}

const library = lateLibrary<typeof import('parse5')>('parse5')

/** The tree that a browser builds (HTML standard, 13.2), by parse5. */
export function parseBrowserTree(html: string): ParsedTree {
  const { parse } = library()
  // With scripting on, all inside <noscript> would be one text, and lazy-loading pages keep their images there.
  const root = parse<BrowserTypes>(html, { treeAdapter: createTreeAdapter(), scriptingEnabled: false })
  const elements: TreeElement[] = []
  for (let node: TreeNode | null = root; node !== null; node = nextNode(node, root))
    if (isElement(node)) elements.push(node)
  return { root, elements }
}

/** For one page. */
function createTreeAdapter(): TreeAdapter<BrowserTypes> {
  const { html: standard } = library()
  const attributes: ListedAttributes = { kind: 'lists', lists: [] }
  const namespaces = new Map<TreeElement, Standard.NS>()
  let mode = standard.DOCUMENT_MODE.NO_QUIRKS
  let doctype: readonly [name: string, publicId: string, systemId: string] = ['', '', '']
  const attributesOf = (element: TreeElement): ListedAttribute[] => attributes.lists[element.at] ?? []
  const isText = (node: TreeNode | null): node is TreeLeaf => node?.type === 'text'

  return {
    createDocument: createRoot,
    createDocumentFragment: createRoot,
    createElement(name, namespace, list) {
      const at = attributes.lists.push([...list]) - 1
      const isForeign = namespace !== standard.NS.HTML
      const element = createElement(name, attributes, at, isForeign)
      if (isForeign) namespaces.set(element, namespace)
      return element
    },
    createCommentNode: data => createLeaf('comment', data),
    createTextNode: data => createLeaf('text', data),
    appendChild: append,
    insertBefore,
    detachNode: detach,
    insertText(parent, text) {
      if (isText(parent.last)) parent.last.data += text
      else append(parent, createLeaf('text', text))
    },
    insertTextBefore(parent, text, next) {
      if (isText(next.prev)) next.prev.data += text
      else insertBefore(parent, createLeaf('text', text), next)
    },
    setTemplateContent: append,
    getTemplateContent: template => template.first as TreeRoot,
    setDocumentType(document, ...names) {
      doctype = names
      append(document, createLeaf('directive', doctypeOf(...names)))
    },
    setDocumentMode(_, found) {
      mode = found
    },
    getDocumentMode: () => mode,
    adoptAttributes(element, list) {
      const own = attributesOf(element)
      for (const attribute of list) if (!own.some(({ name }) => name === attribute.name)) own.push(attribute)
    },
    getFirstChild: node => node.first,
    getChildNodes: listChildren,
    getParentNode: node => node.parent,
    getAttrList: element => attributesOf(element) as Token.Attribute[],
    getTagName: element => element.name,
    getNamespaceURI: element => namespaces.get(element) ?? standard.NS.HTML,
    getTextNodeContent: node => node.data,
    getCommentNodeContent: node => node.data,
    getDocumentTypeNodeName: () => doctype[0],
    getDocumentTypeNodePublicId: () => doctype[1],
    getDocumentTypeNodeSystemId: () => doctype[2],
    isTextNode: isText,
    isCommentNode: (node): node is TreeLeaf => node.type === 'comment',
    isDocumentTypeNode: (node): node is TreeLeaf => node.type === 'directive',
    isElementNode: isElement,
    // Places on the page are not asked for.
    setNodeSourceCodeLocation() {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation() {},
  }
}

function doctypeOf(name: string, publicId: string, systemId: string): string {
  const quoted = (id: string): string => (id.includes('"') ? ` '${id}'` : ` "${id}"`)
  const keyword = publicId ? ' PUBLIC' : systemId ? ' SYSTEM' : ''
  return `!DOCTYPE ${name}${keyword}${publicId ? quoted(publicId) : ''}${systemId ? quoted(systemId) : ''}`
}
