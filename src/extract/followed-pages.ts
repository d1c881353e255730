import type { PageRule } from './page-rule.ts'
import type { ItemSchema } from './schema.ts'

/** A field that names the page rule of where it leads. */
export interface FollowedPage {
  /** Keys from the rule to the field. */
  readonly path: readonly string[]
  readonly page: string
}

export const followedPages = ({ item, items }: Pick<PageRule, 'item' | 'items'>): FollowedPage[] => [
  ...(item === null ? [] : followedIn(item, ['item'])),
  ...(items === undefined ? [] : followedIn(items.item, ['items', 'item'])),
]

const followedIn = (schema: ItemSchema, path: readonly string[]): FollowedPage[] =>
  Object.entries(schema).flatMap(([name, { follow, source }]) => [
    ...(typeof follow === 'string' ? [{ path: [...path, name], page: follow }] : []),
    ...(source.kind === 'group' ? followedIn(source.fields, [...path, name]) : []),
  ])
