import { describe, expect, test } from 'vitest'
import { type CrawlResult, crawl, type JobInput } from '../../src/index.ts'
import { answerOf, createRawServer, type RawRequest, type RawServer } from '../servers/raw.ts'

const secrets = { Authorization: 'Bearer verysecret', Cookie: 'c=verysecret', 'X-Api-Key': 'verysecret' }

const html = (body: string): string => answerOf(body, ['Content-Type: text/html'])
const notFound = answerOf('', [], '404 Not Found')
const redirect = (location: string, headers: readonly string[] = []): string =>
  ['HTTP/1.1 302 Found', `Location: ${location}`, 'Content-Length: 0', ...headers, '', ''].join('\r\n')

async function crawled(job: JobInput): Promise<readonly CrawlResult[]> {
  const results: CrawlResult[] = []
  const reading = job.pages === undefined ? { item: { title: 'h1' }, follow: 'a' } : {}
  const run = crawl({ scope: 'any', ...reading, ...job }, { threads: 0 })
  for await (const result of run) results.push(result)
  return results
}

/** `path` of each request, with a star where it had a secret. */
const marked = (server: RawServer): string[] =>
  server.requests.map(({ path, head }) => (/verysecret/.test(head) ? `${path} *` : path)).sort()

const hostOf = (server: RawServer): string => `localhost:${server.port}`
const urlOf = (server: RawServer, path: string): string => server.url(path, 'localhost')

describe('secrets of a host', () => {
  for (const [name, options] of [
    ['written under that host', (a: RawServer) => ({ hosts: { [hostOf(a)]: { headers: secrets } } })],
    ['written for the job, whose seeds are on it', () => ({ headers: secrets })],
  ] as const)
    test(`${name}, go nowhere else, by link, redirect or robots file, and not along when another host leads back`, async () => {
      await using b: RawServer = await createRawServer(({ path }: RawRequest) => {
        if (path === '/to-a') return redirect(urlOf(a, '/back'))
        return path === '/page' ? html('<h1>b</h1>') : notFound
      })
      await using a: RawServer = await createRawServer(({ path }: RawRequest) => {
        if (path === '/') return html(`<a href="${urlOf(b, '/page')}">b</a><a href="/there">t</a><a href="/same">s</a>`)
        if (path === '/there') return redirect(urlOf(b, '/to-a'))
        if (path === '/same') return redirect('/home')
        if (path === '/robots.txt') return redirect(urlOf(b, '/robots.txt'))
        return path === '/back' || path === '/home' ? html('<h1>a</h1>') : notFound
      })
      const results = await crawled({ seeds: [urlOf(a, '/')], ...options(a) })
      expect(results.map(({ kind }) => kind)).toEqual(['page', 'page', 'page', 'page'])
      expect(marked(b)).toEqual(['/page', '/robots.txt', '/robots.txt', '/to-a'])
      expect(marked(a)).toEqual(['/ *', '/back', '/home *', '/robots.txt *', '/same *', '/there *'])
    })

  test('are not told by items, dead letters or results', async () => {
    await using server = await createRawServer(answerOf('', [], '500 Oops'))
    const results = await crawled({
      seeds: [urlOf(server, '/')],
      headers: secrets,
      retries: { url: 0 },
      robots: { ignoreFor: ['localhost'] },
    })
    expect(results).toMatchObject([{ kind: 'dead', code: 'SERVER_ERROR' }])
    expect(JSON.stringify(results)).not.toContain('verysecret')
  })
})

describe('cookies', () => {
  const shop = (): Promise<RawServer> =>
    createRawServer(({ path }: RawRequest) => {
      if (path === '/')
        return answerOf('<a href="/2">2</a>', [
          'Content-Type: text/html',
          'Set-Cookie: id=1; Expires=Fri, 07 Aug 2099 08:04:19 GMT',
          'Set-Cookie: b=2',
        ])
      return path === '/2' ? html('<h1>two</h1>') : notFound
    })
  const cookiesOf = (server: RawServer): (string | undefined)[] =>
    server.requests.map(({ head }) => /^cookie: (.*)$/im.exec(head)?.[1])

  test('are not kept unless asked for', async () => {
    await using server = await shop()
    await crawled({ seeds: [urlOf(server, '/')] })
    expect(cookiesOf(server)).toEqual([undefined, undefined, undefined])
  })

  test('are sent back to their host by option', async () => {
    await using server = await shop()
    await crawled({ seeds: [urlOf(server, '/')], cookies: true })
    expect(cookiesOf(server)).toEqual([undefined, undefined, 'id=1; b=2'])
  })

  test('set by a redirect are there at its target, and not on another host', async () => {
    await using other = await createRawServer(({ path }: RawRequest) => (path === '/x' ? html('<h1>x</h1>') : notFound))
    await using server: RawServer = await createRawServer(({ path }: RawRequest) => {
      if (path === '/') return redirect('/login', ['Set-Cookie: s=1'])
      if (path === '/login') return redirect(other.url('/x'))
      return notFound
    })
    await crawled({ seeds: [urlOf(server, '/')], cookies: true })
    expect(cookiesOf(server)).toEqual([undefined, undefined, 's=1'])
    expect(cookiesOf(other)).toEqual([undefined, undefined])
  })
})

test('headers of a page rule go with its pages alone', async () => {
  await using server = await createRawServer(({ path }: RawRequest) => {
    if (path === '/') return html('<a href="/api/1">1</a>')
    return path === '/api/1' ? html('<h1>one</h1>') : notFound
  })
  await crawled({
    seeds: [urlOf(server, '/')],
    pages: [
      { name: 'list', match: '/', follow: 'a' },
      { name: 'api', match: '/api/*', item: { title: 'h1' }, headers: { Accept: 'application/json' } },
    ],
  })
  const accepts = server.requests.map(({ head }) => /^accept: (.*)$/im.exec(head)?.[1])
  expect(accepts).toEqual([
    expect.stringContaining('text/html'),
    expect.stringContaining('text/html'),
    'application/json',
  ])
})

test('a job names itself, its version and its contact', async () => {
  await using server = await createRawServer(html('<h1>x</h1>'))
  await crawled({ seeds: [urlOf(server, '/')], contact: 'https://books.test/bot' })
  for (const { head } of server.requests)
    expect(head).toContain('User-Agent: Millrace/0.1 (+https://books.test/bot)\r\n')
})
