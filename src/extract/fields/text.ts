import type { FieldType } from './field-type.ts'

/** Trimmed, and each run of white space inside as one space; the no-break space is white space too. */
export const collapse = (text: string): string => text.trim().replace(/\s+/g, ' ')

export const text: FieldType = { attributeOf: () => null, read: collapse, absent: null }
