import type { JsonObject, JsonValue } from '../../core/wire.ts'
import { attributeOf, hasAttribute } from '../dom/attribute-store.ts'
import { isElement, type TreeElement, type TreeNode } from '../dom/node.ts'
import { dataOf } from '../dom/text.ts'
import type { Tree } from '../dom/tree.ts'
import { nextOutside } from '../dom/walk.ts'
import { collapse } from '../fields/text.ts'
import { baseUrlOf } from '../links.ts'

/**
 * Microdata as the HTML standard reads it (5.2.5 "The microdata model", "the properties of an item"; Appendix "JSON"): an item
 * has the properties below its element that are not below a nested item's, and those below the elements that its `itemref`
 * names, in the order of the page.
 *
 * It differs in four things. Texts are without scripts and with white space collapsed, as all texts of an item are.
 * `content` counts on every element (`<span itemprop="price" content="9.5">9.50 €</span>`), as search engines read it. An
 * item that leads back to itself is left out there, where the standard puts the word ERROR. And work is bounded: with
 * `itemref` a page of n elements can ask for 2^n items, and with nested properties for n² text. Each element may be looked
 * at ten times on average, which is far above what real pages need; what goes beyond that has no properties.
 */
export function microdataOf(tree: Tree, pageUrl: string): JsonObject[] {
  const { elements } = tree
  const isTop = (element: TreeElement): boolean =>
    hasAttribute(element, 'itemscope') && !hasAttribute(element, 'itemprop')
  const tops = elements.filter(isTop)
  if (tops.length === 0) return []
  const read = createItemReader(tree, baseUrlIn(tree, pageUrl))
  return tops.map(read)
}

/** Of the tree itself: where the page streams, reading may have stopped before its `<base>`. */
function baseUrlIn(tree: Tree, pageUrl: string): string {
  const base = tree.named('base').find(element => hasAttribute(element, 'href'))
  return baseUrlOf(base === undefined ? null : attributeOf(base, 'href'), pageUrl)
}

const urlAttributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    audio: 'src',
    embed: 'src',
    iframe: 'src',
    img: 'src',
    source: 'src',
    track: 'src',
    video: 'src',
    a: 'href',
    area: 'href',
    link: 'href',
    object: 'data',
  }),
)
const valueAttributes: ReadonlyMap<string, string> = new Map([
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
])

const looksPerElement = 10
const maxDepth = 256

/** An item whose properties are being read. */
interface Frame {
  readonly element: TreeElement
  readonly elements: readonly TreeElement[]
  next: number
  readonly properties: Map<string, JsonValue[]>
}

function createItemReader(tree: Tree, baseUrl: string): (element: TreeElement) => JsonObject {
  const budget = createBudget(tree)
  const propertiesIn = createPropertyFinder(tree, budget)

  function open(element: TreeElement): Frame {
    return { element, elements: propertiesIn(element), next: 0, properties: new Map() }
  }

  function valueIn(element: TreeElement): string {
    const content = attributeOf(element, 'content')
    if (content !== null || element.name === 'meta') return content ?? ''
    const urlAttribute = urlAttributes.get(element.name)
    if (urlAttribute !== undefined) {
      const url = attributeOf(element, urlAttribute)
      return url === null ? '' : (URL.parse(url, baseUrl)?.href ?? '')
    }
    const attribute = valueAttributes.get(element.name)
    return (attribute === undefined ? null : attributeOf(element, attribute)) ?? collapse(textIn(element, budget))
  }

  return top => {
    const frames = [open(top)]
    const within = new Set([top])
    for (;;) {
      const frame = frames.at(-1)
      const element = frame?.elements[frame.next]
      if (frame === undefined) throw new Error('the outermost item is closed last')
      if (element === undefined) {
        const item = itemOf(frame)
        frames.pop()
        within.delete(frame.element)
        const around = frames.at(-1)
        if (around === undefined) return item
        add(around, item)
        continue
      }
      if (!hasAttribute(element, 'itemscope')) add(frame, valueIn(element))
      else if (!within.has(element) && frames.length < maxDepth) {
        within.add(element)
        frames.push(open(element))
      } else frame.next += 1
    }
  }

  /** The value of the element that a frame is at; then it goes on. */
  function add(frame: Frame, value: JsonValue): void {
    const element = frame.elements[frame.next]
    frame.next += 1
    for (const name of element === undefined ? [] : wordsOf(element, 'itemprop')) {
      const values = frame.properties.get(name)
      if (values === undefined) frame.properties.set(name, [value])
      else values.push(value)
    }
  }

  function itemOf({ element, properties }: Frame): JsonObject {
    const types = wordsOf(element, 'itemtype')
    const id = types.length === 0 ? null : attributeOf(element, 'itemid')
    return {
      ...(types.length > 0 && { type: types }),
      ...(id !== null && { id: URL.parse(id.trim(), baseUrl)?.href ?? id.trim() }),
      properties: Object.fromEntries(properties),
    }
  }
}

const wordsOf = (element: TreeElement, attribute: string): readonly string[] => [
  ...new Set((attributeOf(element, attribute) ?? '').split(/[\t\n\f\r ]+/).filter(word => word !== '')),
]

/** How many nodes may still be looked at. */
interface Budget {
  take(): boolean
}

function createBudget({ elements }: Tree): Budget {
  let left = 1_000 + elements.length * looksPerElement
  return {
    take() {
      left -= 1
      return left >= 0
    },
  }
}

/** The elements that are properties of an item, in the order of the page. */
function createPropertyFinder(tree: Tree, budget: Budget): (item: TreeElement) => readonly TreeElement[] {
  let places: ReadonlyMap<TreeElement, number> | null = null
  let byId: Map<string, TreeElement> | null = null

  function named(id: string): TreeElement | undefined {
    if (byId === null) {
      byId = new Map()
      for (const element of tree.elements) {
        const own = attributeOf(element, 'id')
        if (own !== null && !byId.has(own)) byId.set(own, element)
      }
    }
    return byId.get(id)
  }

  function inOrder(elements: TreeElement[]): TreeElement[] {
    places ??= new Map(tree.elements.map((element, place) => [element, place]))
    const placeOf = (element: TreeElement): number => places?.get(element) ?? 0
    return elements.sort((one, other) => placeOf(one) - placeOf(other))
  }

  return item => {
    const found: TreeElement[] = []
    const seen = new Set([item])
    /** All properties at and below `from`, unless they belong to an item in between. */
    const gather = (from: TreeNode | null, top: TreeNode): void => {
      for (let node = from; node !== null && budget.take(); ) {
        const isNew = isElement(node) && !seen.has(node)
        if (isElement(node) && isNew) {
          seen.add(node)
          if (hasAttribute(node, 'itemprop')) found.push(node)
        }
        const isClosed = isElement(node) && (!isNew || hasAttribute(node, 'itemscope'))
        node = (isClosed ? null : node.first) ?? nextOutside(node, top)
      }
    }
    gather(item.first, item)
    const references = wordsOf(item, 'itemref')
    for (const id of references) {
      const element = named(id)
      if (element !== undefined) gather(element, element)
    }
    return references.length === 0 ? found : inOrder(found)
  }
}

function textIn(top: TreeElement, budget: Budget): string {
  let text = ''
  let node = top.first
  while (node !== null && budget.take()) {
    if (node.type === 'text') text += dataOf(node)
    const isHidden = node.type === 'script' || node.type === 'style'
    node = (isHidden ? null : node.first) ?? nextOutside(node, top)
  }
  return text
}
