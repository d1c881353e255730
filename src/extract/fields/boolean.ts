import type { FieldType, ReadValue } from './field-type.ts'
import { collapse } from './text.ts'

const noWords = new Set(['no', 'false', 'off', 'n', '0', 'none', 'null', 'undefined'])

const wordOf = (text: string): string => collapse(text).toLowerCase()

/** A text that is in neither of two lists says nothing; with one list alone, whatever is not in it is the opposite. */
function createWordReader(yes: readonly string[], no: readonly string[]): ReadValue {
  const [yesWords, ownNoWords] = [new Set(yes.map(wordOf)), new Set(no.map(wordOf))]
  const otherwise = no.length === 0 ? false : yes.length === 0 ? true : null
  return text => {
    const word = wordOf(text)
    return yesWords.has(word) ? true : ownNoWords.has(word) ? false : otherwise
  }
}

/**
 * Presence is true and absence false: `.in-stock` is true where there is such an element, `disabled` where there is
 * such an attribute, whatever it says. Unless it says no: a text or attribute that is a word for it ("no", "false",
 * "off", "0") is false.
 */
export const boolean: FieldType = {
  attributeOf: tag => (tag === 'meta' ? 'content' : null),
  read: text => !noWords.has(wordOf(text)),
  absent: false,
  tuned: ({ words }) => (words === undefined ? boolean.read : createWordReader(words.true, words.false)),
}
