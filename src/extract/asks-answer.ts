import type { PageRule } from './page-rule.ts'
import { schemaOf } from './page-rule.ts'
import type { ItemSchema, ValueSource } from './schema.ts'

/** True where a rule reads more of an answer than its body: status and headers travel to the worker only then. */
export function asksAnswer(rule: PageRule): boolean {
  const schema = schemaOf(rule)
  return rule.module !== undefined || (schema !== null && someSource(schema, isOfAnswer))
}

const isOfAnswer = (source: ValueSource): boolean =>
  source.kind === 'whole' || (source.kind === 'context' && /^(?:status$|header:)/.test(source.name))

const someSource = (schema: ItemSchema, test: (source: ValueSource) => boolean): boolean =>
  Object.values(schema).some(
    ({ source }) => test(source) || (source.kind === 'group' && someSource(source.fields, test)),
  )
