import { describe, expect, test } from 'vitest'
import { type CrawlResult, crawl, type JobInput } from '../../src/index.ts'
import { answerOf, createRawServer, type RawRequest, type RawServer } from '../servers/raw.ts'

const html = (body: string): string => answerOf(body, ['Content-Type: text/html'])
const notFound = answerOf('', [], '404 Not Found')
const redirect = (location: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
const refresh = (url: string): string => html(`<meta http-equiv="refresh" content="0; url=${url}"><h1>wait</h1>`)

async function crawled(server: RawServer, options: Partial<JobInput>, path = '/'): Promise<readonly CrawlResult[]> {
  const results: CrawlResult[] = []
  const job: JobInput = { seeds: [server.url(path)], item: { title: 'h1' }, ...options }
  for await (const result of crawl(job, { threads: 0 })) results.push(result)
  return results
}

const chain = (length: number): Promise<RawServer> =>
  createRawServer(({ path }: RawRequest) => {
    const at = Number(path.slice(1))
    if (path === '/robots.txt') return notFound
    return at < length ? redirect(`/${at + 1}`) : html('<h1>end</h1>')
  })

describe('the ceiling of redirects', () => {
  for (const [length, max, kind] of [
    [10, 10, 'page'],
    [11, 10, 'dead'],
    [2, 2, 'page'],
    [3, 2, 'dead'],
    [1, 0, 'dead'],
  ] as const)
    test(`of ${max}, with ${length} on the way, is: ${kind}`, async () => {
      await using server = await chain(length)
      const results = await crawled(server, { redirects: { max } }, '/0')
      expect(results).toMatchObject([kind === 'page' ? { kind } : { kind, code: 'REDIRECT_LIMIT' }])
    })
})

describe('a page that sends its reader elsewhere', () => {
  const site = (): Promise<RawServer> =>
    createRawServer(({ path }: RawRequest) => {
      if (path === '/') return refresh('/next')
      if (path === '/loop') return refresh('/loop2')
      if (path === '/loop2') return refresh('/loop')
      if (path === '/out') return refresh('http://elsewhere.test/')
      return path === '/next' ? html('<h1>next</h1>') : notFound
    })

  test('is a page, as long as nothing else is asked for', async () => {
    await using server = await site()
    expect(await crawled(server, {})).toMatchObject([{ kind: 'page', items: [{ title: 'wait' }] }])
  })

  test('is a redirect by option', async () => {
    await using server = await site()
    expect(await crawled(server, { redirects: { metaRefresh: true } })).toMatchObject([
      { kind: 'page', url: server.url('/'), finalUrl: server.url('/next'), items: [{ title: 'next' }] },
    ])
  })

  test('ends as any redirect does: in a circle, out of scope', async () => {
    await using server = await site()
    const redirects = { metaRefresh: true }
    expect(await crawled(server, { redirects }, '/loop')).toMatchObject([{ kind: 'dead', code: 'REDIRECT_LIMIT' }])
    expect(await crawled(server, { redirects }, '/out')).toMatchObject([{ kind: 'skipped', reason: 'out-of-scope' }])
  })
})
