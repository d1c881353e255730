import { fieldTypes } from '../fields/index.ts'
import type { FieldSpec, ItemSchema, ValueSource, ValueType } from '../schema.ts'
import type { Attributes } from './attributes.ts'
import { type Chain, chainsOf, endTags } from './chain.ts'
import type { TagNames } from './tag-names.ts'

/** A field made ready for the stream: its selector in steps, and where its attributes are kept. */
export interface FieldNode {
  readonly name: string
  readonly type: ValueType
  readonly isList: boolean
  /** Null: the element of the group itself. */
  readonly chains: readonly Chain[] | null
  /** The names of all elements it can match; null: it cannot be said. */
  readonly endTags: readonly string[] | null
  readonly source: SourceNode
}

export type SourceNode =
  | { readonly kind: 'text' | 'innerText' | 'tagName' }
  | { readonly kind: 'innerHTML' | 'outerHTML' }
  | AttributeNode
  /** By number of the tag: the attribute that holds a value of the type; null: the text does. */
  | { readonly kind: 'natural'; readonly attributes: readonly (AttributeNode | null)[] }
  | { readonly kind: 'group'; readonly group: GroupNode }

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

  const fieldOf = (name: string, { selector, source, type, list }: FieldSpec): FieldNode => ({
    name,
    type,
    isList: list,
    chains: selector === null ? null : chainsOf(selector),
    endTags: selector === null ? null : endTags(chainsOf(selector)),
    source: sourceOf(source, type),
  })

  const sourceOf = (source: ValueSource, type: ValueType): SourceNode => {
    switch (source.kind) {
      case 'text':
      case 'innerText':
      case 'tagName':
        return { kind: source.kind }
      case 'innerHTML':
      case 'outerHTML':
        return { kind: source.kind }
      case 'attribute':
        return attributeOf(source.name)
      case 'natural':
        return { kind: 'natural', attributes: naturalOf(type) }
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
