import type { FieldType } from './field-type.ts'

/** The string as it stands in the page. */
export const raw: FieldType = { attributeOf: () => null, read: text => text, absent: null }
