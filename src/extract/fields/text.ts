import type { Whitespace } from '../schema.ts'
import type { FieldType } from './field-type.ts'

/** Trimmed, and each run of white space inside as one space; the no-break space is white space too. */
export const collapse = (text: string): string => text.trim().replace(/\s+/g, ' ')

const rules: Readonly<Record<Whitespace, (text: string) => string>> = {
  collapse,
  trim: text => text.trim(),
  lines: text =>
    text
      .split(/\r\n?|\n/)
      .map(collapse)
      .filter(line => line !== '')
      .join('\n'),
  keep: text => text,
}

export const whitespaceNames: readonly string[] = Object.keys(rules)

/** What a rule makes of a text. */
export const spaced = (rule: Whitespace): ((text: string) => string) => rules[rule]

export const text: FieldType = {
  attributeOf: () => null,
  read: collapse,
  absent: null,
  tuned: ({ whitespace = 'collapse' }) => spaced(whitespace),
}
