import { planOf } from '../plan.ts'
import type { FieldSpec, ItemSchema } from '../schema.ts'
import type { PageNeed } from '../whole-page-field.ts'
import { wholePageFields } from '../whole-page-fields.ts'

/** What the `from` fields of a schema ask of the elements of the page and what can be told from tags, each once. */
export function needsOf(schema: ItemSchema): readonly PageNeed[] {
  const bySchema = new Map(needsIn(schema).map(need => [need.schema, need]))
  return [...bySchema.values()].filter(need => streams(need.schema))
}

const needsIn = (schema: ItemSchema): PageNeed[] =>
  Object.values(schema).flatMap(({ source }) => {
    if (source.kind === 'group') return needsIn(source.fields)
    if (source.kind !== 'whole') return []
    const need = wholePageFields[source.from]?.needs?.(source.options)
    return need === undefined ? [] : [need]
  })

const streams = (item: ItemSchema): boolean =>
  planOf({ name: '', match: null, item, follow: [], parser: 'fast' }).engine === 'stream'

/** The fields of needs, by a name that no field of a job can have, so that they can stand beside those. */
export const fieldsOfNeeds = (needs: readonly PageNeed[]): ItemSchema =>
  Object.fromEntries(
    needs.flatMap(({ schema }, nth) =>
      Object.entries(schema).map(([name, spec]): readonly [string, FieldSpec] => [`_${nth}.${name}`, spec]),
    ),
  )
