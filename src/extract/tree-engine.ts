import type { Element, ParentNode } from 'domhandler'
import type { Item, JsonValue } from '../core/wire.ts'
import { innerHtmlOf, outerHtmlOf } from './dom/serialise.ts'
import { innerTextOf, textOf } from './dom/text.ts'
import { parseTree, type Tree } from './dom/tree.ts'
import { isElement } from './dom/walk.ts'
import type { Engine } from './engine.ts'
import type { FieldType, PageContext } from './fields/field-type.ts'
import { fieldTypes } from './fields/index.ts'
import { createFinder, type Finder, type FinderScope } from './finder.ts'
import { baseUrlOf, type FoundLink, linkAttributes } from './links.ts'
import type { PageRule } from './page-rule.ts'
import type { FieldSpec, ItemSchema, ValueSource } from './schema.ts'

/** One page while it is read. */
interface TreePage extends PageContext {
  readonly tree: Tree
}

/** A field, a group or an item, made ready: what it is for a given scope of a page. */
type Reader<T extends JsonValue> = (scope: ParentNode, page: TreePage) => T

/** The engine that can do everything: a tree per page, selectors and readers made once per rule. */
export function createTreeEngine(rule: PageRule): Engine {
  const readItem = rule.item === null ? null : createItemReader(rule.item, 'page')
  const baseElement = createFinder('base[href]', 'page')
  const follow = rule.follow.map(selector => createFinder(selector, 'page'))
  return {
    name: 'tree',
    read({ html, url, wantLinks }) {
      const tree = parseTree(html, rule.parser)
      const base = baseElement.first(tree.root, tree)
      const baseUrl = baseUrlOf(base === null ? null : attributeOf(base, 'href'), url)
      return {
        item: readItem === null ? null : readItem(tree.root, { tree, baseUrl }),
        links: wantLinks ? follow.flatMap(finder => linksOf(finder.all(tree.root, tree))) : [],
        baseUrl,
      }
    },
  }
}

function createItemReader(schema: ItemSchema, scope: FinderScope): Reader<Item> {
  const fields = Object.entries(schema).map(([name, spec]) => [name, createFieldReader(spec, scope)] as const)
  return (element, page) => {
    const item: Record<string, JsonValue> = {}
    for (const [name, read] of fields) item[name] = read(element, page)
    return item
  }
}

function createFieldReader(spec: FieldSpec, scope: FinderScope): Reader<JsonValue> {
  const read = createValueReader(spec.source, spec.type)
  const absent = spec.source.kind === 'group' ? null : fieldTypes[spec.type].absent
  if (spec.selector === null) return read
  const finder: Finder = createFinder(spec.selector, scope)
  // cheerio's lists leave out what has no value, too.
  if (spec.list)
    return (element, page) =>
      finder
        .all(element, page.tree)
        .map(found => read(found, page))
        .filter(value => value !== null)
  return (element, page) => {
    const found = finder.first(element, page.tree)
    return found === null ? absent : read(found, page)
  }
}

function createValueReader(source: ValueSource, typeName: FieldSpec['type']): Reader<JsonValue> {
  if (source.kind === 'group') return createItemReader(source.fields, 'element')
  const type = fieldTypes[typeName]
  const stringOf = createStringReader(source, type)
  return (node, page) => {
    const string = stringOf(node)
    return string === null ? type.absent : type.read(string, page)
  }
}

function createStringReader(
  source: Exclude<ValueSource, { kind: 'group' }>,
  type: FieldType,
): (node: ParentNode) => string | null {
  switch (source.kind) {
    case 'text':
      return textOf
    case 'innerText':
      return innerTextOf
    case 'innerHTML':
      return innerHtmlOf
    case 'outerHTML':
      return outerHtmlOf
    case 'tagName':
      return node => (isElement(node) ? node.name.toUpperCase() : null)
    case 'attribute': {
      const { name } = source
      return node => (isElement(node) ? attributeOf(node, name) : null)
    }
    case 'natural':
      return node => naturalOf(node, type)
    default:
      return source satisfies never
  }
}

/** As written, or what the DOM has for a value that is not written: of an option its text, of a tick box "on". */
function attributeOf(element: Element, name: string): string | null {
  const { attribs } = element
  if (Object.hasOwn(attribs, name)) return attribs[name] ?? null
  if (name !== 'value') return null
  if (element.name === 'option') return textOf(element)
  return element.name === 'input' && (attribs.type === 'radio' || attribs.type === 'checkbox') ? 'on' : null
}

function naturalOf(node: ParentNode, type: FieldType): string {
  const name = isElement(node) ? type.attributeOf(node.name) : null
  return (name === null || !isElement(node) ? null : attributeOf(node, name)) ?? textOf(node)
}

function linksOf(elements: readonly Element[]): FoundLink[] {
  const links: FoundLink[] = []
  for (const element of elements) {
    const name = linkAttributes.find(attribute => Object.hasOwn(element.attribs, attribute))
    const value = name === undefined ? undefined : element.attribs[name]
    if (value !== undefined) links.push({ value, isNofollow: /\bnofollow\b/i.test(element.attribs.rel ?? '') })
  }
  return links
}
