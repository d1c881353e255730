import { z } from 'zod'
import { jobShape } from './job-shape.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const typeNames = ['text', 'raw', 'html', 'attr', 'number', 'url', 'boolean', 'date', 'json']

/** What zod leaves open, because the selectors of an item are checked by the code that runs them. */
const itemSchema: JsonSchema = {
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

const fieldSchema: JsonSchema = {
  anyOf: [
    { type: 'string', description: 'A selector: the text of its first match.' },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        selector: { type: 'string', description: 'Left out: the element of the scope itself.' },
        value: {
          description: 'text, innerHTML, outerHTML, the name of an attribute, or the fields of a nested item.',
          anyOf: [{ type: 'string' }, { $ref: '#/$defs/item' }],
        },
        type: { enum: typeNames },
      },
    },
  ],
}

/** The JSON Schema of a job file, for editors. */
export function jobSchema(): JsonSchema {
  const schema = z.toJSONSchema(jobShape, { io: 'input' })
  const { item } = schema.$defs ?? {}
  return {
    ...schema,
    title: 'Millrace job',
    $defs: { ...schema.$defs, item: { ...itemSchema, description: item?.description ?? '' }, field: fieldSchema },
  }
}
