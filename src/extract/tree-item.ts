import type { Item, JsonValue } from '../core/wire.ts'
import { definitionsOf } from './definitions.ts'
import { attributeOf } from './dom/attribute-store.ts'
import { lineTextOf, ownLineTextOf } from './dom/line-text.ts'
import { isElement, type TreeElement, type TreeParent } from './dom/node.ts'
import { innerHtmlOf, outerHtmlOf } from './dom/serialise.ts'
import { innerTextOf, textOf } from './dom/text.ts'
import type { Tree } from './dom/tree.ts'
import { absentOf, createBoundReader, createSettle, createValueReader } from './field-value.ts'
import type { FieldType } from './fields/field-type.ts'
import { fieldTypes } from './fields/index.ts'
import { createFinder, type Finder, type FinderScope } from './finder.ts'
import { ownTextOf } from './own-text.ts'
import { nest, type ReadingPage } from './reading-page.ts'
import { type FieldSpec, type ItemSchema, isBound, type StringSource } from './schema.ts'
import { tableOf } from './table.ts'

/** One page while it is read. */
export interface TreePage extends ReadingPage {
  readonly tree: Tree
}

/** An item or a field, made ready: what it is for a given scope of a page. */
export type Reader<T> = (scope: TreeParent, page: TreePage) => T

/** The value of one match. */
type MatchReader = (found: TreeParent, page: TreePage, place: number | null) => JsonValue

export function createItemReader(schema: ItemSchema, scope: FinderScope): Reader<Item> {
  const fields = Object.entries(schema).map(([name, spec]) => [name, createFieldReader(name, spec, scope)] as const)
  return (element, page) => {
    const item: Record<string, JsonValue> = {}
    for (const [name, read] of fields) item[name] = read(element, page)
    return item
  }
}

/** Readers of schemas that are told with the page; each is made once. */
export function createSchemaReaders(): (schema: ItemSchema) => Reader<Item> {
  const readers = new Map<ItemSchema, Reader<Item>>()
  return schema => {
    const reader = readers.get(schema) ?? createItemReader(schema, 'page')
    readers.set(schema, reader)
    return reader
  }
}

function createFieldReader(name: string, spec: FieldSpec, scope: FinderScope): Reader<JsonValue> {
  const settle = createSettle(name, spec)
  if (isBound(spec.source)) {
    const read = createBoundReader(spec.source, spec)
    return (_, page) => settle(read(page), page)
  }
  if (spec.selector === null) {
    const read = createMatchReader(name, spec)
    return (element, page) => settle(read(element, page, null), page)
  }
  const read = createMatchesReader(name, spec, createFinder(spec.selector, scope))
  return (element, page) => settle(read(element, page), page)
}

/** Undefined: there is no match. */
function createMatchesReader(name: string, spec: FieldSpec, finder: Finder): Reader<JsonValue | undefined> {
  const { source, list, pick = 1 } = spec
  if (source.kind === 'count') return (element, page) => finder.all(element, page.tree).length
  if (source.kind === 'exists') return (element, page) => finder.first(element, page.tree) !== null
  const read = createMatchReader(name, spec)
  // cheerio's lists leave out what has no value, too.
  if (list)
    return (element, page) =>
      finder
        .all(element, page.tree)
        .map((found, place) => read(found, page, place))
        .filter(value => value !== null)
  const choose: Reader<TreeElement | null | undefined> =
    pick === 1
      ? (element, page) => finder.first(element, page.tree)
      : (element, page) => finder.all(element, page.tree).at(pick < 0 ? pick : pick - 1)
  return (element, page) => {
    const found = choose(element, page) ?? null
    return found === null ? undefined : read(found, page, null)
  }
}

function createMatchReader(name: string, spec: FieldSpec): MatchReader {
  const { source } = spec
  switch (source.kind) {
    case 'group': {
      const read = createItemReader(source.fields, 'element')
      return (found, page, place) => {
        const { length } = page.missing
        const item = read(found, page)
        nest(page.missing, length, name, ...(place === null ? [] : [place]))
        return item
      }
    }
    case 'table':
      return found => tableOf(found, source.shape)
    case 'dl':
      return definitionsOf
    case 'count':
    case 'exists':
    case 'constant':
    case 'context':
    case 'whole':
      throw new Error(`a ${source.kind} is read of no match`)
    default: {
      const stringOf = createStringReader(source, fieldTypes[spec.type], spec.whitespace === 'lines')
      const absent = absentOf(spec)
      const toValue = createValueReader(spec)
      return (found, page) => {
        const string = stringOf(found)
        return string === null ? absent : toValue(string, page)
      }
    }
  }
}

/** @param byLines with a line break wherever a reader sees one */
function createStringReader(
  source: StringSource,
  type: FieldType,
  byLines: boolean,
): (node: TreeParent) => string | null {
  const text = byLines ? (node: TreeParent): string => lineTextOf(node, true) : textOf
  switch (source.kind) {
    case 'text':
      return text
    case 'innerText':
      return byLines ? node => lineTextOf(node, false) : innerTextOf
    case 'ownText':
      return byLines ? ownLineTextOf : ownTextOf
    case 'innerHTML':
      return innerHtmlOf
    case 'outerHTML':
      return outerHtmlOf
    case 'tagName':
      return node => (isElement(node) ? node.name.toUpperCase() : null)
    case 'attribute': {
      const { name } = source
      return node => (isElement(node) ? valueOfAttribute(node, name, text) : null)
    }
    case 'natural':
      return node => naturalOf(node, type, text)
    default:
      return source satisfies never
  }
}

/** As written, or what the DOM has for a value that is not written: of an option its text, of a tick box "on". */
function valueOfAttribute(element: TreeElement, name: string, text: (node: TreeParent) => string): string | null {
  const written = attributeOf(element, name)
  if (written !== null || name !== 'value') return written
  if (element.name === 'option') return text(element)
  if (element.name !== 'input') return null
  const type = attributeOf(element, 'type')
  return type === 'radio' || type === 'checkbox' ? 'on' : null
}

function naturalOf(node: TreeParent, type: FieldType, text: (node: TreeParent) => string): string {
  const name = isElement(node) ? type.attributeOf(node.name) : null
  return (name === null || !isElement(node) ? null : valueOfAttribute(node, name, text)) ?? text(node)
}
