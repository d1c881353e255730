import type { Follow, ItemSchema } from './schema.ts'

/** What a page rule says of a field of its schema that it follows: it is named by the keys that lead to it. */
export type FollowedField =
  | { readonly kind: 'marked'; readonly schema: ItemSchema }
  | { readonly kind: 'refused'; readonly reason: string; readonly names: readonly string[] }

/** Values that can be links; others are no texts. */
const linkTypes: readonly string[] = ['raw', 'text', 'url']

const refused = (reason: string, names: readonly string[] = []): FollowedField => ({ kind: 'refused', reason, names })

/** The schema, its field marked as one whose value is a link. */
export function withFollow(
  schema: ItemSchema,
  [name = '', ...inner]: readonly string[],
  follow: Follow,
): FollowedField {
  const spec = Object.hasOwn(schema, name) ? schema[name] : undefined
  if (spec === undefined) return refused('one of its fields', Object.keys(schema))
  const { source, type } = spec
  if (source.kind === 'group') {
    if (inner.length === 0) return refused('a field of this nested item', Object.keys(source.fields))
    const marked = withFollow(source.fields, inner, follow)
    if (marked.kind === 'refused') return marked
    return { kind: 'marked', schema: { ...schema, [name]: { ...spec, source: { ...source, fields: marked.schema } } } }
  }
  if (inner.length > 0) return refused('a field that is a nested item before the point')
  const isText = !['constant', 'table', 'dl', 'count', 'exists'].includes(source.kind) && linkTypes.includes(type)
  if (!isText) return refused('a field that is a text or a URL')
  if (spec.follow !== undefined) return refused('a field without a `follow` of its own')
  return { kind: 'marked', schema: { ...schema, [name]: { ...spec, follow } } }
}
