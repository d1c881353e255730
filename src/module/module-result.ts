import { MillraceError } from '../core/errors.ts'

/** What a `parse` gave back, made out but not looked into. */
export interface Given {
  readonly items: readonly unknown[]
  readonly links: readonly string[]
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** A map of `items` and `links` has nothing else, and lists in both: any other object is an item. */
function isMap(value: object): value is { readonly items?: readonly unknown[]; readonly links?: readonly unknown[] } {
  const entries = Object.entries(value)
  return entries.length > 0 && entries.every(([key, list]) => (key === 'items' || key === 'links') && isList(list))
}

function linkText(link: unknown, index: number): string {
  if (typeof link === 'string') return link
  if (link instanceof URL) return link.href
  throw new MillraceError('PARSE_FAILED', `links[${index}] is a ${typeof link}; expected a URL as text`)
}

/** @throws PARSE_FAILED it is none of what a `parse` may give back */
export function givenBy(result: unknown): Given {
  if (result === null || result === undefined) return { items: [], links: [] }
  if (isList(result)) return { items: result, links: [] }
  if (typeof result !== 'object')
    throw new MillraceError(
      'PARSE_FAILED',
      `parse() gave back a ${typeof result}; expected an item, a list of items, or { items, links }`,
    )
  if (!isMap(result)) return { items: [result], links: [] }
  return { items: result.items ?? [], links: (result.links ?? []).map(linkText) }
}
