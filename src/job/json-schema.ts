import { z } from 'zod'
import { fieldSchema, itemSchema } from './field-schema.ts'
import { jobShape } from './job-shape.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of a job file, for editors. */
export function jobSchema(): JsonSchema {
  const schema = z.toJSONSchema(jobShape, { io: 'input' })
  const { item, itemOfItems } = schema.$defs ?? {}
  return {
    ...schema,
    title: 'Millrace job',
    $defs: {
      ...schema.$defs,
      item: { ...itemSchema, description: item?.description ?? '' },
      itemOfItems: { ...itemSchema, description: itemOfItems?.description ?? '' },
      field: fieldSchema,
    },
  }
}
