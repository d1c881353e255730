import { load } from 'cheerio'
import { fieldsBy } from './cheerio-fields.ts'
import { realPages } from './pages.ts'

/** Says how many pages a second this process reads by way of a tree, once its code is warm. */
const [forMs = '3000'] = process.argv.slice(2)
const pages = realPages().map(page => new TextDecoder().decode(page))
let read = 0
function readFor(ms: number): number {
  const startMs = performance.now()
  const before = read
  while (performance.now() - startMs < ms) fieldsBy(load(pages[read++ % pages.length] ?? ''))
  return ((read - before) * 1000) / (performance.now() - startMs)
}
readFor(2_000)
process.send?.({ pagesPerSecond: readFor(Number(forMs)) })
process.disconnect?.()
