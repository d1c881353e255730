import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type CrawlResult, crawl, type JobInput } from '../../src/index.ts'
import { answerOf, createRawServer, type RawAnswer, type RawRequest, type RawServer } from '../servers/raw.ts'
import { fetcherWith, get, getOnce, messageOf, timeouts, wordsOf } from './kit.ts'

/**
 * What users of other tools have reported, told again with exact bytes and followed to the result. Each stands for its
 * kind, which has tests of its own elsewhere.
 */

const notFound = answerOf('', [], '404 Not Found')

/** All pages, and what their body says: a browser's tree has one, whatever the page. */
const job: Partial<JobInput> = { item: { text: 'body' }, parser: 'browser' }

/** A server whose only page is `/`, and which has no robots file. */
const serverOf = (answer: RawAnswer): Promise<RawServer> =>
  createRawServer(request => {
    if (request.path === '/robots.txt') return notFound
    return typeof answer === 'function' ? answer(request) : answer
  })

async function crawled(seed: string, options: Partial<JobInput> = job): Promise<readonly CrawlResult[]> {
  const results: CrawlResult[] = []
  for await (const result of crawl({ seeds: [seed], ...options }, { threads: 0 })) results.push(result)
  return results
}

const pathsOf = ({ requests }: RawServer): string[] => requests.map(({ path }) => path).sort()

function answerWith(body: Uint8Array, ...headers: readonly string[]): Uint8Array {
  const head = ['HTTP/1.1 200 OK', `Content-Length: ${body.byteLength}`, 'Connection: close', ...headers, '', '']
  return Buffer.concat([Buffer.from(head.join('\r\n')), body])
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const bodies = {
  gzip: hex('1f8b0800000000000003cb48cdc9c95728cf2fca49010085114a0d0b000000'),
  rawDeflate: hex('cb48cdc9c95728cf2fca490100'),
  zlib: hex('789ccb48cdc9c95728cf2fca4901001a0b045d'),
  brotli: hex('0b058068656c6c6f20776f726c6403'),
  zlibOverGzip: hex('789c93efe6600003e6d31e674f9e0cd738af7fca9391a155d08b971b280c007f3707b1'),
  zlibOk: hex('789ccbcf0600014b00db'),
  twoMembers: hex('1f8b08000000000000034bcbcf07002165738c030000001f8b08000000000000034b4a2c0200aa8cff7603000000'),
}

describe('a body under a coding', () => {
  const extra = Buffer.from('XXXXextra')
  const cases: readonly (readonly [string, string, Uint8Array, string])[] = [
    ['gzip', 'gzip', bodies.gzip, 'hello world'],
    ['deflate without its wrapper', 'deflate', bodies.rawDeflate, 'hello world'],
    ['deflate with its wrapper', 'deflate', bodies.zlib, 'hello world'],
    ['br', 'br', bodies.brotli, 'hello world'],
    ['gzip and then deflate', 'gzip, deflate', bodies.zlibOverGzip, 'hello world'],
    ['deflate with bytes after its end', 'deflate', Buffer.concat([bodies.zlibOk, extra]), 'ok'],
    ['gzip with bytes after its end', 'gzip', Buffer.concat([gzipSync('ok'), extra]), 'ok'],
    ['gzip in two members', 'gzip', bodies.twoMembers, 'foobar'],
  ]
  for (const [name, coding, body, text] of cases)
    test(`${name} is read`, async () => {
      await using server = await serverOf(answerWith(body, 'Content-Type: text/html', `Content-Encoding: ${coding}`))
      expect(await crawled(server.url())).toMatchObject([{ kind: 'page', items: [{ text }] }])
    })

  for (const coding of ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])
    for (const status of ['200 OK', '204 No Content'])
      test(`${coding}, empty and answered with ${status}, is an empty page`, async () => {
        const length = status.startsWith('204') ? [] : ['Content-Length: 0']
        const head = [`HTTP/1.1 ${status}`, ...length, `Content-Encoding: ${coding}`, 'Connection: close', '', '']
        await using server = await serverOf(head.join('\r\n'))
        expect(await crawled(server.url())).toMatchObject([{ kind: 'page', status: Number(status.slice(0, 3)) }])
      })
})

describe('a path that ends in .gz is no proof of gzip', () => {
  test('where it is not found', async () => {
    await using server = await serverOf(answerOf('<h1>no</h1>', ['Content-Type: text/html'], '404 Not Found'))
    expect(await crawled(server.url('/sitemap.xml.gz'))).toMatchObject([
      { kind: 'dead', code: 'HTTP_STATUS', status: 404 },
    ])
  })

  test('where it is plain', async () => {
    await using server = await serverOf(answerOf('<urlset><loc>x</loc></urlset>', ['Content-Type: text/xml']))
    expect(await crawled(server.url('/sitemap.xml.gz'), { item: { loc: 'loc' } })).toMatchObject([
      { kind: 'page', items: [{ loc: 'x' }] },
    ])
  })
})

describe('a gzip file is known by its bytes', () => {
  const file = gzipSync('<urlset><loc>x</loc></urlset>')
  for (const [name, body, headers] of [
    ['where it is sent as it is', file, ['Content-Type: application/gzip']],
    ['where it is called XML', file, ['Content-Type: text/xml']],
    ['under a gzip coding', gzipSync(file), ['Content-Type: application/x-gzip', 'Content-Encoding: gzip']],
    ['where its own packing is called a coding', file, ['Content-Type: application/xml', 'Content-Encoding: gzip']],
  ] as const)
    test(name, async () => {
      await using server = await serverOf(answerWith(body, ...headers))
      expect(await crawled(server.url('/sitemap.xml.gz'), { item: { loc: 'loc' } })).toMatchObject([
        { kind: 'page', items: [{ loc: 'x' }] },
      ])
    })

  test('and refused where it holds no page', async () => {
    await using server = await serverOf(answerWith(gzipSync(Buffer.alloc(5_000)), 'Content-Type: application/gzip'))
    expect(await crawled(server.url())).toMatchObject([{ kind: 'dead', code: 'CONTENT_TYPE' }])
  })

  test('and bounded like every page', async () => {
    await using server = await serverOf(answerWith(gzipSync(Buffer.alloc(50_000)), 'Content-Type: application/gzip'))
    expect(await crawled(server.url(), { ...job, limits: { bodyBytes: 10_000 } })).toMatchObject([
      { kind: 'dead', code: 'BODY_TOO_LARGE' },
    ])
  })
})

describe('the charset', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['of a byte order mark wins over a wrong header', 'text/html; charset=cp1251', '\ufeff<p>Привет!</p>', 'Привет!'],
    ['with a label that nobody knows is not asked', 'text/html; charset=ISO-88509-1', '<p>é</p>', 'é'],
    ['of which nothing is said is seen in the bytes', 'text/html', '<p>é</p>', 'é'],
  ]
  for (const [name, contentType, body, text] of cases)
    test(name, async () => {
      await using server = await serverOf(answerWith(Buffer.from(body), `Content-Type: ${contentType}`))
      expect(await crawled(server.url(), { item: { text: 'p' } })).toMatchObject([{ items: [{ text }] }])
    })
})

describe('a redirect', () => {
  const redirect = (location: string): string =>
    `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`

  for (const location of ['file:///etc/hostname', 'data:text/html,x', 'javascript:1'])
    test(`to ${location} is not followed, and not asked for again`, async () => {
      await using server = await serverOf(redirect(location))
      expect(await crawled(server.url())).toMatchObject([{ kind: 'dead', code: 'REDIRECT_INVALID' }])
      expect(pathsOf(server)).toEqual(['/', '/robots.txt'])
    })

  test('off the host of the job does not take the job there', async () => {
    await using other = await serverOf(answerOf('<a href="/x">x</a>', ['Content-Type: text/html']))
    await using server = await serverOf(redirect(other.url('/', 'localhost')))
    expect(await crawled(server.url(), { ...job, follow: 'a' })).toMatchObject([
      { kind: 'skipped', reason: 'out-of-scope' },
    ])
    expect(pathsOf(other)).toEqual([])
  })
})

test('cookies of a local name and of an address go back where they came from, and nowhere else', async () => {
  await using server: RawServer = await serverOf(({ path, head }: RawRequest) => {
    const isName = /^host: localhost/im.test(head)
    const cookies = isName
      ? ['Set-Cookie: a=1; Domain=localhost']
      : ['Set-Cookie: b=1', 'Set-Cookie: c=1; Domain=127.0.0.1']
    return path === '/2'
      ? answerOf('', ['Content-Type: text/html'])
      : answerOf('<a href="/2">2</a>', ['Content-Type: text/html', ...cookies])
  })
  const seeds = [server.url('/', 'localhost'), server.url('/')]
  await crawled('', { seeds, cookies: true, follow: 'a', ...job })
  const sent = server.requests
    .filter(({ path }) => path === '/2')
    .map(({ head }) => [/^host: ([^:\r]*)/im.exec(head)?.[1], /^cookie: (.*)$/im.exec(head)?.[1]])
  expect(sent.sort()).toEqual([
    ['127.0.0.1', 'b=1; c=1'],
    ['localhost', 'a=1'],
  ])
})

test('white space in links is no part of them, and what is no link costs nothing', async () => {
  const links = ['" \n/a\t"', '"/b\nc"', '""', '"http://[bad"', '"javascript:void 0"']
  const page = links.map(href => `<a href=${href}>x</a>`).join('')
  await using server = await serverOf(answerOf(page, ['Content-Type: text/html']))
  const results = await crawled(server.url(), { ...job, follow: 'a' })
  expect(results.map(({ kind }) => kind)).toEqual(['page', 'page', 'page'])
  expect(pathsOf(server)).toEqual(['/', '/a', '/bc', '/robots.txt'])
})

test('chunks that end early are no page, and what came of them is counted', async () => {
  await using server = await createRawServer({
    answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n',
    close: true,
  })
  const outcome = await getOnce(server.url())
  expect(wordsOf(outcome)).toBe('failed RESPONSE_TRUNCATED')
  expect(messageOf(outcome)).toContain('after 3 bytes')
})

test('a healthy server is not blamed for the time in which our own loop stood still', async () => {
  const script = `require('http').createServer((_, r) => r.end('ok')).listen(0, function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface(child.stdout), 'line')
  await using fetcher = fetcherWith({ timeouts: { ...timeouts, connectMs: 200, firstByteMs: 200 } })
  const asking = get(fetcher, `http://127.0.0.1:${port}/`)
  await new Promise(resolve => setImmediate(resolve))
  for (const untilMs = performance.now() + 600; performance.now() < untilMs; );
  expect(wordsOf(await asking)).toBe('page 200 "ok"')
  child.kill()
})
