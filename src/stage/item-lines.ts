import { sendableUrl } from '../core/url.ts'
import type { Item, JsonValue, ParseRequest } from '../core/wire.ts'
import type { DecodedText } from '../decode/charset.ts'

/** What an item says of its page, beside its own fields. */
export function withOrigin(fields: Item, request: ParseRequest): Item {
  const { askedUrl, finalUrl, page, fetchedAt } = request
  // The URL as given may be spelt otherwise than the one that was sent, without any redirect.
  const isElsewhere = (sendableUrl(askedUrl)?.href ?? askedUrl) !== finalUrl
  return {
    ...fields,
    _url: askedUrl,
    ...(isElsewhere && { _finalUrl: finalUrl }),
    _page: page,
    _at: fetchedAt,
  }
}

/** What items say of how the text of their page was read, where the job asks for it. */
export const withCharset = (
  items: readonly Item[],
  { charset, source }: Pick<DecodedText, 'charset' | 'source'>,
): Item[] => items.map(item => ({ ...item, _charset: { name: charset, from: source } }))

/**
 * An item as one line of JSON. A field that cannot be written (JSON of a page, nested deeper than the stack) is null in
 * its line: one strange value costs neither the item nor the page.
 */
export function itemLine(item: Item): string {
  try {
    return JSON.stringify(item)
  } catch {
    return JSON.stringify(Object.fromEntries(Object.entries(item).map(([name, value]) => [name, writable(value)])))
  }
}

function writable(value: JsonValue): JsonValue {
  try {
    JSON.stringify(value)
    return value
  } catch {
    return null
  }
}

/**
 * The same items, sharing nothing with the page they come from: a string that was cut from a page keeps all of the
 * page in memory, and 60 titles of 3 MB pages would hold 187 MB.
 */
export const detached = (items: readonly Item[]): Item[] => items.map(item => JSON.parse(itemLine(item)))
