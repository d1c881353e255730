import type { Attributes } from './attributes.ts'
import type { AttributeNode, ElementSource } from './field-node.ts'
import type { TagNames } from './tag-names.ts'

/** What fields read of the element that opens: strings that its tag has, or what is still to be collected. */
export type ElementValue =
  | { readonly kind: 'read'; readonly value: string | null }
  | { readonly kind: 'text' }
  | { readonly kind: 'innerText' }
  | { readonly kind: 'ownText' }
  | Extract<ElementSource, { readonly kind: 'innerHTML' | 'outerHTML' | 'table' | 'dl' }>

export interface ElementValues {
  /** @param tag -1: the page itself, which has neither a name nor attributes */
  valueOf(source: ElementSource, tag: number): ElementValue
}

const text: ElementValue = { kind: 'text' }
const innerText: ElementValue = { kind: 'innerText' }
const ownText: ElementValue = { kind: 'ownText' }

export function createElementValues(names: TagNames, attributes: Attributes): ElementValues {
  const [option, input, script, style] = ['option', 'input', 'script', 'style'].map(names.idOf)
  const read = (value: string | null): ElementValue => ({ kind: 'read', value })

  /** As written, or what the DOM has for a value that is not written: of an option its text, of a tick box "on". */
  const attributeOf = ({ slot, typeSlot }: AttributeNode, tag: number): ElementValue => {
    const value = attributes.valueOf(slot)
    if (value !== null || typeSlot === null) return read(value)
    if (tag === option) return text
    const type = tag === input ? attributes.valueOf(typeSlot) : null
    return read(type === 'radio' || type === 'checkbox' ? 'on' : null)
  }

  return {
    valueOf(source, tag) {
      switch (source.kind) {
        case 'text':
          return text
        case 'innerText':
          return tag === script || tag === style ? read('') : innerText
        case 'ownText':
          return ownText
        case 'innerHTML':
        case 'outerHTML':
        case 'table':
        case 'dl':
          return source
        case 'tagName':
          return read(tag < 0 ? null : names.nameOf(tag).toUpperCase())
        case 'attribute':
          return tag < 0 ? read(null) : attributeOf(source, tag)
        case 'natural': {
          const attribute = source.attributes[tag] ?? null
          const value = attribute === null ? text : attributeOf(attribute, tag)
          return value.kind === 'read' && value.value === null ? text : value
        }
        default:
          return source satisfies never
      }
    },
  }
}
