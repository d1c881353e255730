import type { z } from 'zod'

/** What zod leaves open, because the schema of an item is checked by the code that runs it: for editors alone. */

type JsonSchema = z.core.JSONSchema.BaseSchema

const described = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description })
const words: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }

/** Of every field, whatever it reads. */
const common: Readonly<Record<string, JsonSchema>> = {
  type: { enum: ['text', 'raw', 'html', 'attr', 'number', 'url', 'boolean', 'date', 'json'] },
  pattern: described('A regular expression: its match, or its groups.', { type: 'string', minLength: 1 }),
  flags: described('Of the pattern.', { type: 'string', pattern: '^[imsuv]*$' }),
  whitespace: { enum: ['collapse', 'trim', 'lines', 'keep'] },
  locale: described('How numbers and dates are written there: de, en-GB.', { type: 'string' }),
  format: described('How dates are written: DD.MM.YYYY. Several are tried in turn.', words),
  words: described('Texts that are true, and texts that are false.', {
    type: 'object',
    additionalProperties: false,
    properties: { true: words, false: words },
  }),
  default: described('In place of no value.', {}),
  required: described('true: no item without it. flag: the item says in `_missing` that it lacks it.', {
    enum: [true, false, 'flag'],
  }),
  follow: described('The value is a link to follow: true, or the name of the page rule that reads it.', {
    anyOf: [{ type: 'boolean' }, { type: 'string' }],
  }),
}

const ofElements: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    selector: described('Left out: the element of the scope itself.', { type: 'string' }),
    value: described('text, ownText, innerHTML, outerHTML, the name of an attribute, or the fields of a nested item.', {
      anyOf: [{ type: 'string' }, { $ref: '#/$defs/item' }],
    }),
    pick: described('Which match: 2 is the second, -2 the last but one.', {
      anyOf: [{ enum: ['first', 'last'] }, { type: 'integer', maximum: -1 }, { type: 'integer', minimum: 1 }],
    }),
    count: described('How many matches there are.', { const: true }),
    exists: described('Whether there is a match.', { const: true }),
    table: described('Rows as objects, or one object from each first cell to what follows it.', {
      enum: [true, 'rows', 'pairs'],
    }),
    dl: described('A definition list as an object.', { const: true }),
    ...common,
  },
}

const bound = (key: string, schema: JsonSchema, others: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: [key],
  properties: { [key]: schema, ...others },
})

export const fieldSchema: JsonSchema = {
  anyOf: [
    { type: 'string', description: 'A selector: the text of its first match.' },
    ofElements,
    bound('constant', described('The same on every page.', {}), {}),
    bound(
      'context',
      described('url, finalUrl, page, depth, fetchedAt, status, meta.KEY or header:NAME.', { type: 'string' }),
      common,
    ),
    bound('xpath', described('XPath 1.0 over the whole page.', { type: 'string' }), {
      value: { enum: ['text', 'html', 'outerHTML'] },
      all: described('All nodes, as a list.', { type: 'boolean' }),
      ...common,
    }),
    // Which other keys there are is up to its kind.
    { type: 'object', required: ['from'], properties: { from: { type: 'string' }, ...common } },
  ],
}

export const itemSchema: JsonSchema = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: '^[^_]' },
  additionalProperties: {
    anyOf: [
      { $ref: '#/$defs/field' },
      { type: 'array', items: { $ref: '#/$defs/field' }, minItems: 1, maxItems: 1, description: 'Every match.' },
    ],
  },
}
