import type { JsonValue } from '../../core/wire.ts'
import type { FieldType } from './field-type.ts'

/** Scripts were once hidden from browsers that knew none, and from XML parsers. Some templates still do it. */
const wrappings: readonly RegExp[] = [
  /^<!--([\s\S]*?)(?:\/\/\s*)?-->$/,
  /^(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\s*\*\/)?([\s\S]*?)(?:\/\/|\/\*)?\s*\]\]>(?:\s*\*\/)?$/,
]

function unwrap(text: string): string | null {
  for (const wrapping of wrappings) {
    const inside = wrapping.exec(text)?.[1]
    if (inside !== undefined) return inside
  }
  return null
}

function parseOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The parsed value of a script's text or of an attribute; null where it is no JSON. */
export const json: FieldType = {
  attributeOf: tag => (tag === 'meta' ? 'content' : null),
  read(text) {
    const trimmed = text.trim()
    return parseOrNull(trimmed.startsWith('<') || trimmed.startsWith('/') ? (unwrap(trimmed) ?? trimmed) : trimmed)
  },
  absent: null,
}
