import type { FieldType } from './field-type.ts'
import { collapse } from './text.ts'

const noWords = new Set(['no', 'false', 'off', 'n', '0', 'none', 'null', 'undefined'])

/**
 * Presence is true and absence false: `.in-stock` is true where there is such an element, `disabled` where there is
 * such an attribute, whatever it says. Unless it says no: a text or attribute that is a word for it ("no", "false",
 * "off", "0") is false.
 */
export const boolean: FieldType = {
  attributeOf: tag => (tag === 'meta' ? 'content' : null),
  read: text => !noWords.has(collapse(text).toLowerCase()),
  absent: false,
}
