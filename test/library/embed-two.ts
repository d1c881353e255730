import { crawl, createParser } from '../../src/index.ts'

/**
 * A program that embeds Millrace twice, in a process of its own: two runs and a parser side by side, over one server,
 * with nothing ended by hand. Prints what it found; the test waits for it to end by itself.
 */
const [url = ''] = process.argv.slice(2)
const listeners = () =>
  process.listenerCount('SIGINT') + process.listenerCount('SIGTERM') + process.listenerCount('exit')
const before = listeners()

async function titles(path: string): Promise<unknown[]> {
  const found: unknown[] = []
  await using run = crawl({ seeds: [`${url}${path}`], item: { title: 'title' }, follow: ['a'] }, { threads: 1 })
  for await (const result of run) if (result.kind === 'page') found.push(...result.items.map(({ title }) => title))
  return found.sort()
}

const [one, two] = await Promise.all([titles('/0'), titles('/5')])
await using parser = createParser({ item: { title: 'title' } }, { threads: 1 })
const parsed = await parser.parse({ body: '<title>Own</title>', url: 'http://a.test/' })
// A run left before its end: closing it must leave no handle either.
const left = crawl({ seeds: [`${url}/0`], item: { title: 'title' } }, { threads: 1 })
for await (const _ of left) break
await left.close()
console.log(
  JSON.stringify({
    one,
    two,
    parsed: parsed.kind === 'parsed' && parsed.items[0]?.title,
    listeners: listeners() - before,
  }),
)
