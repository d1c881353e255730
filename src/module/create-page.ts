import type { ParseRequest } from '../core/wire.ts'
import { baseUrlOf, linkAttributes, resolveLinks } from '../extract/links.ts'
import { jsonLdObjects } from '../extract/structured/json-ld-objects.ts'
import type { Dollar, Dollars } from './dollar.ts'
import type { ModulePage } from './module-page.ts'

/** A page for one call of a module's `parse`; disposed as soon as that has ended. */
export interface OpenPage extends Disposable {
  readonly page: ModulePage
  /** What relative links of the page are resolved against. */
  baseUrl(): string
}

const none: Readonly<Record<string, string>> = {}

export function createPage(request: ParseRequest, text: string, dollars: Dollars): OpenPage {
  let lent: Dollar | null = null
  let base: string | null = null
  let isOver = false

  function dollar(): Dollar['$'] {
    if (isOver) throw new Error(`the page ${request.finalUrl} has ended: read it before parse() ends`)
    lent ??= dollars(text)
    return lent.$
  }

  function baseUrl(): string {
    // Most pages have none, and then a module that does without `$` costs no tree.
    base ??= /<base\s/i.test(text)
      ? baseUrlOf(dollar()('base[href]').first().attr('href') ?? null, request.finalUrl)
      : request.finalUrl
    return base
  }

  const page: ModulePage = {
    url: request.finalUrl,
    askedUrl: request.askedUrl,
    name: request.page,
    status: request.status ?? null,
    headers: request.headers ?? none,
    meta: request.meta ?? null,
    text,
    get $() {
      return dollar()
    },
    jsonLd: of => jsonLdObjects(text, request.finalUrl, of),
    json: () => JSON.parse(text),
    links(selector = 'a[href]') {
      const found = dollar()(selector)
        .get()
        .flatMap(element => {
          if (!('attribs' in element)) return []
          const name = linkAttributes.find(attribute => Object.hasOwn(element.attribs, attribute))
          return name === undefined ? [] : [{ value: element.attribs[name] ?? '', isNofollow: false }]
        })
      return resolveLinks(found, baseUrl()).urls.map(url => url.href)
    },
  }
  return {
    page,
    baseUrl,
    [Symbol.dispose]() {
      isOver = true
      lent?.[Symbol.dispose]()
    },
  }
}
