import type { JsonValue } from '../../core/wire.ts'
import { collapse } from '../fields/text.ts'
import type { WholePage, WholePageField } from '../whole-page-field.ts'
import { domOf } from './dom.ts'
import type { DomElement } from './dom-nodes.ts'
import { readabilityLibrary } from './library.ts'
import { checkChoice } from './options.ts'
import { perPage } from './per-page.ts'

/** The main text of a page as Readability finds it. */
export interface Article {
  readonly content: DomElement
  readonly text: string
  readonly title: string | null
  readonly byline: string | null
  readonly excerpt: string | null
  readonly siteName: string | null
  readonly language: string | null
  readonly publishedAt: string | null
}

const values: Readonly<Record<string, (article: Article) => JsonValue>> = {
  text: ({ text }) => text,
  html: ({ content }) => content.innerHTML,
  title: ({ title }) => title,
  byline: ({ byline }) => byline,
  excerpt: ({ excerpt }) => excerpt,
  siteName: ({ siteName }) => siteName,
  language: ({ language }) => language,
  publishedAt: ({ publishedAt }) => publishedAt,
}

/** `{ from: readability, value: text }`: the article of a page, without what is round it. Null where there is none. */
export const readability: WholePageField = {
  keys: ['value'],
  needsTree: true,
  check: ({ value }, at) => ({ value: checkChoice(value, `${at}.value`, Object.keys(values)) }),
  create({ value }) {
    const read = values[value as string] ?? (() => null)
    return page => {
      const article = articleOf(page)
      return article === null ? null : read(article)
    }
  },
}

export const articleOf: (page: WholePage) => Article | null = perPage(page => {
  const { Readability } = readabilityLibrary()
  const document = domOf(page, page.tree().root)
  const found = new Readability(document, { serializer: content => content }).parse()
  if (found?.content === null || found?.content === undefined) return null
  return {
    content: found.content,
    text: linesOf(found.textContent),
    title: wordsOrNull(found.title),
    byline: wordsOrNull(found.byline),
    excerpt: wordsOrNull(found.excerpt),
    siteName: wordsOrNull(found.siteName),
    language: wordsOrNull(found.lang),
    publishedAt: wordsOrNull(found.publishedTime),
  }
})

const wordsOrNull = (text: string | null | undefined): string | null => collapse(text ?? '') || null

/** Paragraphs stay apart; white space inside of a line is as in any other text. */
const linesOf = (text: string | null | undefined): string =>
  (text ?? '')
    .split('\n')
    .map(collapse)
    .filter(line => line !== '')
    .join('\n')
