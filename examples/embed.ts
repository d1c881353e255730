/**
 * Millrace as a library: results come to the loop, no file is written, and a loop that is slow slows the crawl down.
 *
 *   node examples/embed.ts https://example.org/
 */
// In a project of your own: import { crawl } from 'millrace'
import { crawl } from '../src/index.ts'

const [seed] = process.argv.slice(2)
if (seed === undefined) throw new Error('Give the URL to begin at: node examples/embed.ts https://example.org/')

const run = crawl(
  {
    name: 'embed',
    seeds: [seed],
    scope: { within: 'same-host', maxDepth: 1 },
    follow: ['a'],
    item: {
      title: 'title',
      description: { selector: 'meta[name=description]', value: 'content' },
      headings: ['h1, h2'],
    },
  },
  { threads: 1, maxPages: 20 },
)

for await (const result of run) {
  switch (result.kind) {
    case 'page':
      for (const item of result.items) console.log(item._url, item.title)
      break
    case 'dead':
      console.log(result.url, result.code, result.message)
      break
    case 'skipped':
      console.log(result.url, `left alone: ${result.reason}`)
      break
    default:
      result satisfies never
  }
}

const { ledger, items, pagesPerSecond } = await run.finished()
console.log(
  `${items} items from ${ledger.done} of ${ledger.discovered} URLs, ${pagesPerSecond.toFixed(1)} pages a second`,
)
await run.close()
