import type { JsonObject, JsonValue } from '../core/wire.ts'

/** What is known of a page without looking into it. */
export interface PageFacts {
  /** The URL that was asked for, as given. */
  readonly askedUrl: string
  /** The URL that answered. */
  readonly finalUrl: string
  /** Name of the page rule. */
  readonly page: string
  /** ISO wall time of the answer. */
  readonly fetchedAt: string
  /** Links followed since a seed. */
  readonly depth: number
  /** Null where the page came from no server. */
  readonly status: number | null
  /** Lower-case names; empty where the page came from no server. */
  readonly headers: Readonly<Record<string, string>>
  /** What stands beside the seed. */
  readonly meta: JsonObject | null
}

type Fact = (facts: PageFacts) => JsonValue

const plainFacts: Readonly<Record<string, Fact>> = {
  url: ({ askedUrl }) => askedUrl,
  finalUrl: ({ finalUrl }) => finalUrl,
  page: ({ page }) => page,
  fetchedAt: ({ fetchedAt }) => fetchedAt,
  depth: ({ depth }) => depth,
  status: ({ status }) => status,
  meta: ({ meta }) => meta,
}

/** As a message lists them. */
export const contextNames: readonly string[] = [...Object.keys(plainFacts), 'meta.KEY', 'header:NAME']

/** The fact that `context` names; null: there is no such one. */
export function factOf(name: string): Fact | null {
  const plain = Object.hasOwn(plainFacts, name) ? plainFacts[name] : undefined
  if (plain !== undefined) return plain
  const header = /^header:\s*([\w!#$%&'*+.^`|~-]+)$/.exec(name)?.[1]?.toLowerCase()
  if (header !== undefined) return ({ headers }) => (Object.hasOwn(headers, header) ? (headers[header] ?? null) : null)
  const keys = /^meta\.(.+)$/.exec(name)?.[1]?.split('.')
  return keys === undefined || keys.includes('') ? null : ({ meta }) => valueBelow(meta, keys)
}

function valueBelow(top: JsonValue, keys: readonly string[]): JsonValue {
  let value = top
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = (value as JsonObject)[key] ?? null
  }
  return value
}

/** Where nothing but the URL is known. */
export const factsOf = (url: string): PageFacts => ({
  askedUrl: url,
  finalUrl: url,
  page: '',
  fetchedAt: '',
  depth: 0,
  status: null,
  headers: {},
  meta: null,
})
