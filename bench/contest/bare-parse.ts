import { Parser } from 'htmlparser2'
import { realPages } from '../pages.ts'
import { finish, keep, task } from './figures.ts'

/** The limit of the parsing: pages from memory, one pass of the tokenizer, and these very fields written by hand. */
const pages = realPages().map(page => new TextDecoder().decode(page))

function fieldsOf(html: string): object {
  const item = {
    title: '',
    description: null as string | null,
    canonical: null as string | null,
    h1: [] as string[],
    h2: [] as string[],
    links: [] as string[],
    images: [] as (string | undefined)[],
  }
  let heading: string[] | null = null
  let text = ''
  let titles = 0
  let isTitle = false
  new Parser({
    onopentag(name, attributes) {
      if (name === 'a' && attributes.href !== undefined) item.links.push(attributes.href)
      else if (name === 'img') item.images.push(attributes.src)
      else if (name === 'meta' && attributes.name === 'description') item.description ??= attributes.content ?? null
      else if (name === 'link' && attributes.rel === 'canonical') item.canonical ??= attributes.href ?? null
      else if (name === 'h1' || name === 'h2') {
        heading = item[name]
        text = ''
      } else if (name === 'title') isTitle = titles++ === 0
    },
    ontext(piece) {
      if (heading !== null) text += piece
      if (isTitle) item.title += piece
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false
      if (heading === null || (name !== 'h1' && name !== 'h2')) return
      heading.push(text)
      heading = null
    },
  }).end(html)
  return item
}

for (const [nth, url] of task.urls.entries()) keep(url, fieldsOf(pages[nth % pages.length] ?? ''))
finish()
