import type { JsonValue } from '../../core/wire.ts'
import {
  absentOf,
  createBoundReader,
  createSettle,
  createValueReader,
  type Settle,
  type ValueReader,
} from '../field-value.ts'
import { fieldTypes } from '../fields/index.ts'
import type { ReadingPage } from '../reading-page.ts'
import type { FieldSpec, ItemSchema, TableShape, ValueSource, ValueType } from '../schema.ts'
import type { Attributes } from './attributes.ts'
import { type Chain, chainsOf, endTags } from './chain.ts'
import type { TagNames } from './tag-names.ts'

/** A field made ready for the stream: its selector in steps, and where its attributes are kept. */
export interface FieldNode {
  readonly name: string
  readonly isList: boolean
  /** Of all matches: which one. */
  readonly pick: number
  /** True where more than the first match is looked at. */
  readonly isMany: boolean
  /** Whether its texts have a line break wherever a reader sees one. */
  readonly byLines: boolean
  /** What its strings are relative to; `always`: what is found does not say. */
  readonly urls: 'none' | 'found' | 'always'
  /** Null: the element of the group itself. */
  readonly chains: readonly Chain[] | null
  /** The names of all elements it can match; null: it cannot be said. */
  readonly endTags: readonly string[] | null
  readonly source: SourceNode
  /** Of a match that has no string. */
  readonly absent: JsonValue
  readonly valueOf: ValueReader
  readonly settle: Settle
}

export type SourceNode =
  | ElementSource
  | { readonly kind: 'group'; readonly group: GroupNode }
  | { readonly kind: 'count' }
  | { readonly kind: 'exists' }
  /** Known without an element. */
  | { readonly kind: 'bound'; read(page: ReadingPage): JsonValue }

/** Read of an element that matches. */
export type ElementSource =
  | { readonly kind: 'text' }
  | { readonly kind: 'innerText' }
  | { readonly kind: 'ownText' }
  | { readonly kind: 'tagName' }
  | { readonly kind: 'innerHTML' | 'outerHTML' | 'dl' }
  | { readonly kind: 'table'; readonly shape: TableShape }
  | AttributeNode
  /** By number of the tag: the attribute that holds a value of the type; null: the text does. */
  | { readonly kind: 'natural'; readonly attributes: readonly (AttributeNode | null)[] }

export interface AttributeNode {
  readonly kind: 'attribute'
  readonly slot: number
  /** Of `value` alone, which the DOM has for some elements even where it is not written: the place of their `type`. */
  readonly typeSlot: number | null
}

export interface GroupNode {
  /** Which of all groups of an item; the item itself is 0. */
  readonly id: number
  readonly fields: readonly FieldNode[]
}

/** @returns the item itself, then the groups inside it, each at its number */
export function createGroups(schema: ItemSchema, names: TagNames, attributes: Attributes): readonly GroupNode[] {
  const groups: GroupNode[] = []

  const addGroup = (fields: ItemSchema): GroupNode => {
    const nodes: FieldNode[] = []
    const group: GroupNode = { id: groups.length, fields: nodes }
    groups.push(group)
    for (const [name, spec] of Object.entries(fields)) nodes.push(fieldOf(name, spec))
    return group
  }

  const fieldOf = (name: string, spec: FieldSpec): FieldNode => {
    const { selector, source, list, pick = 1 } = spec
    const chains = selector === null ? null : chainsOf(selector)
    return {
      name,
      isList: list,
      pick,
      isMany: list || pick !== 1 || source.kind === 'count',
      byLines: spec.whitespace === 'lines',
      urls: urlsOf(spec),
      chains,
      endTags: chains === null ? null : endTags(chains),
      source: sourceOf(source, spec),
      absent: absentOf(spec),
      valueOf: createValueReader(spec),
      settle: createSettle(name, spec),
    }
  }

  const sourceOf = (source: ValueSource, spec: FieldSpec): SourceNode => {
    switch (source.kind) {
      case 'text':
      case 'innerText':
      case 'ownText':
      case 'tagName':
        return { kind: source.kind }
      case 'innerHTML':
      case 'outerHTML':
      case 'dl':
        return { kind: source.kind }
      case 'table':
        return source
      case 'count':
      case 'exists':
        return { kind: source.kind }
      case 'constant':
      case 'context':
      case 'whole':
        return { kind: 'bound', read: createBoundReader(source, spec) }
      case 'attribute':
        return attributeOf(source.name)
      case 'natural':
        return { kind: 'natural', attributes: naturalOf(spec.type) }
      case 'group':
        return { kind: 'group', group: addGroup(source.fields) }
      default:
        throw new Error(`the plan leaves ${(source as ValueSource).kind} to the tree`)
    }
  }

  const attributeOf = (name: string): AttributeNode => ({
    kind: 'attribute',
    slot: attributes.slotOf(name),
    typeSlot: name === 'value' ? attributes.slotOf('type') : null,
  })

  const naturalOf = (type: ValueType): (AttributeNode | null)[] =>
    Array.from({ length: names.knownCount }, (_, id) => {
      const name = fieldTypes[type].attributeOf(names.nameOf(id))
      return name === null ? null : attributeOf(name)
    })

  addGroup(schema)
  return groups
}

function urlsOf({ source, type, pattern }: FieldSpec): FieldNode['urls'] {
  if (source.kind === 'whole') return 'always'
  if (type !== 'url') return 'none'
  // A part of what was found is not relative to what the whole is.
  return source.kind === 'context' || pattern !== undefined ? 'always' : 'found'
}
