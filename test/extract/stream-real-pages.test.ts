import { load } from 'cheerio'
import { expect, test } from 'vitest'
import { realPages } from '../../bench/pages.ts'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { planOf } from '../../src/extract/plan.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const pages = realPages().map(bytes => new TextDecoder().decode(bytes))
/** A part of the pages is enough for every run, and fewer still for cheerio, which takes most of the time; FUZZ asks for all. */
const isWhole = process.env.FUZZ !== undefined
const url = 'http://shop.test/a/b'

const text = (selector: string) => ({ selector, value: 'textContent' })
const attribute = (selector: string, value: string) => ({ selector, value })
const link = { text: { selector: 'a', value: 'textContent' }, href: { selector: 'a', value: 'href' } }

const schemas: Readonly<Record<string, unknown>> = {
  title: text('title'),
  headTitle: text('head > title'),
  description: attribute('meta[name=description]', 'content'),
  descriptionInAnyCase: attribute('meta[name="DESCRIPTION" i]', 'content'),
  canonical: attribute('link[rel=canonical]', 'href'),
  openGraph: [attribute('meta[property^="og:"]', 'content')],
  charsets: [attribute('meta[charset], meta[http-equiv=content-type]', 'content')],
  styles: [attribute('link[rel~=stylesheet]', 'href')],
  scripts: [attribute('script[src]', 'src')],
  inlineScripts: [text('script:not([src])')],
  scriptsInside: [{ selector: 'div', value: 'innerText' }],
  headings: [text('h1, h2')],
  anyHeadings: [text(':header')],
  links: [attribute('a[href]', 'href')],
  outsideLinks: [attribute('a[href^="http"]:not([href*="google"])', 'href')],
  pictures: [attribute('a img', 'src')],
  pictureLinks: [attribute('a > img[alt]', 'alt')],
  paragraph: text('p'),
  paragraphs: [text('p')],
  laterParagraphs: [text('p + p')],
  paragraphsAfterHeadings: [text('h2 ~ p')],
  lastOfChain: [text('body div div span')],
  firstItems: [text('li:first-child')],
  oddRows: [text('tr:nth-child(odd) td')],
  secondCells: [text('td:nth-of-type(2)')],
  navigation: [attribute('ul li > a', 'href')],
  ids: [attribute('[id]', 'id')],
  classes: [attribute('div[class]', 'class')],
  header: text('#header'),
  content: text('#content, #main, .content, .main'),
  inputs: [attribute('form input[name]', 'maxlength')],
  values: [attribute('input, option', 'value')],
  buttons: [attribute(':button, :submit', 'value')],
  options: [text('select > option')],
  tags: [attribute('body > *', 'tagName')],
  roots: [attribute(':root', 'tagName')],
  lists: [{ selector: 'ul', value: { first: text('> li'), all: [text('li')], links: [attribute('li > a', 'href')] } }],
  tables: [{ selector: 'table', value: { rows: [{ selector: 'tr', value: { cells: [text('td, th')] } }] } }],
  articles: [{ selector: 'div[class]', value: { heading: text('h2, h3'), link: { selector: 'p', value: link } } }],
  forms: { selector: 'form', value: { action: attribute('input', 'size'), labels: [text('label + input, label')] } },
}

const ruleOf = (item: unknown, follow: readonly string[] = []): PageRule => ({
  name: 'any',
  match: null,
  item: checkItem(item, 'item'),
  follow,
  parser: 'fast',
})
type Map = Parameters<ReturnType<typeof load>['extract']>[0]
const json = (value: unknown): string => JSON.stringify(value, (_, part) => (part === undefined ? null : part))

const compared = pages.filter((_, index) => isWhole || index % 8 === 0)

test(`${compared.length} real pages hold for the stream engine what they hold for the tree engine and for cheerio`, () => {
  const rule = ruleOf(schemas, ['a', 'area', 'iframe'])
  expect(planOf(rule)).toMatchObject({ engine: 'stream' })
  const [stream, tree] = [createStreamEngine(rule), createTreeEngine(rule)]
  for (const [index, html] of compared.entries()) {
    const { item, links, baseUrl } = stream.read({ html, url, wantLinks: true })
    const expected = tree.read({ html, url, wantLinks: true })
    for (const name of Object.keys(schemas)) expect(json(item?.[name]), name).toBe(json(expected.item?.[name]))
    expect({ links, baseUrl }).toEqual({ links: expected.links, baseUrl: expected.baseUrl })
    if (!isWhole && index % 4 !== 0) continue
    const theirs = load(html, { xml: { xmlMode: false } }).extract(schemas as unknown as Map)
    for (const name of Object.keys(schemas)) expect(json(item?.[name]), name).toBe(json(theirs[name]))
  }
}, 120_000)

test.each(Object.keys(schemas))(
  '%s by itself, where reading may stop early',
  name => {
    const nth = Object.keys(schemas).indexOf(name)
    const rule = ruleOf({ [name]: schemas[name] })
    expect(planOf(rule).engine).toBe('stream')
    const [stream, tree] = [createStreamEngine(rule), createTreeEngine(rule)]
    for (const html of pages.filter((_, index) => isWhole || index % 80 === nth))
      expect(json(stream.read({ html, url, wantLinks: false }).item)).toBe(
        json(tree.read({ html, url, wantLinks: false }).item),
      )
  },
  120_000,
)
