import { load } from 'cheerio'
import pLimit from 'p-limit'
import { request } from 'undici'
import { fieldsBy } from '../cheerio-fields.ts'
import { finish, keep, task } from './figures.ts'

/** What people write at home: everything on the main thread. With `htmlparser2` as last argument, on that parser. */
const isXmlFree = process.argv.at(-1) === 'htmlparser2'
const limit = pLimit(task.concurrency)

async function visit(url: string): Promise<void> {
  const { body } = await request(url)
  const html = await body.text()
  keep(url, fieldsBy(isXmlFree ? load(html, { xml: { xmlMode: false, decodeEntities: true } }) : load(html)))
}

await Promise.all(task.urls.map(url => limit(visit, url)))
finish()
