import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FetcherOptions } from '../../src/fetch/create-fetcher.ts'
import { crawl } from '../../src/index.ts'
import { createH2Server, createRawH2Server, frame, okHeaders, u32 } from '../servers/h2.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert, key } from './certificates.ts'
import { fetcherWith, get, messageOf, taskFor, timeouts, wordsOf } from './kit.ts'

const h2 = (options: Partial<FetcherOptions> = {}) => fetcherWith({ http2: true, tls: { ca: cert }, ...options })

const nothing = Buffer.alloc(0)
const html = { 'content-type': 'text/html' }

describe('which protocol', () => {
  test('is HTTP/2 where the host can do it and the job allows it', async () => {
    await using server = await createH2Server(
      (request, response) => response.writeHead(200, html).end(request.httpVersion),
      {
        allowHTTP1: true,
      },
    )
    await using modern = h2()
    expect(wordsOf(await get(modern, server.url()))).toBe('page 200 "2.0"')
    await using old = fetcherWith({ tls: { ca: cert } })
    expect(wordsOf(await get(old, server.url()))).toBe('page 200 "1.1"')
  })

  test('is HTTP/1.1 where the host knows no other, or is not asked over TLS', async () => {
    await using secure = await createRawServer({ answer: answerOf('old'), tls: { key, cert } })
    await using plain = await createRawServer({ answer: answerOf('plain') })
    await using fetcher = h2()
    const outcomes = await Promise.all(
      [...Array(4).fill(secure.url('/', 'localhost')), plain.url()].map(url => get(fetcher, url)),
    )
    expect(outcomes.map(wordsOf)).toEqual([...Array(4).fill('page 200 "old"'), 'page 200 "plain"'])
  })

  test('is HTTP/1.1 from then on where a host wants that for a request', async () => {
    await using server = await createH2Server(
      (request, response) => {
        if (request.httpVersion === '2.0') request.stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED)
        else response.end(request.httpVersion)
      },
      { allowHTTP1: true },
    )
    await using fetcher = h2()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "1.1"')
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "1.1"')
    expect(server.sessions).toHaveLength(1)
    expect(server.requests).toBe(3)
  })
})

describe('many requests at a time', () => {
  test('are one connection, though they begin together', async () => {
    const waiting: (() => void)[] = []
    await using server = await createH2Server((request, response) => {
      waiting.push(() => response.writeHead(200, html).end(request.url))
      if (waiting.length === 20) for (const answer of waiting) answer()
    })
    await using fetcher = h2()
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, nth) => get(fetcher, server.url(`/${nth}`))))
    expect(outcomes.map(wordsOf)).toEqual(Array.from({ length: 20 }, (_, nth) => `page 200 "/${nth}"`))
    expect(server.sessions).toHaveLength(1)
    expect(server.peak).toBe(20)
  })

  test('are never more on one connection than its host allows, from the first on', async () => {
    const inFlight = new Map<unknown, number>()
    let peak = 0
    await using server = await createH2Server(
      ({ stream: { session } }, response) => {
        const now = (inFlight.get(session) ?? 0) + 1
        inFlight.set(session, now)
        peak = Math.max(peak, now)
        response.once('close', () => inFlight.set(session, (inFlight.get(session) ?? 0) - 1))
        setTimeout(() => response.writeHead(200, html).end('ok'), 5)
      },
      { settings: { maxConcurrentStreams: 3 } },
    )
    await using fetcher = h2()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => get(fetcher, server.url())))
    expect(outcomes.map(wordsOf)).toEqual(Array(12).fill('page 200 "ok"'))
    expect(peak).toBe(3)
    expect(server.sessions.length).toBeLessThanOrEqual(4)
  })

  test('count as requests in flight: beyond `connections` they wait their turn', async () => {
    await using server = await createH2Server((_, response) => {
      setTimeout(() => response.writeHead(200, html).end('ok'), 5)
    })
    await using fetcher = h2({ connections: 4 })
    await Promise.all(Array.from({ length: 20 }, () => get(fetcher, server.url())))
    expect(server.peak).toBe(4)
    expect(server.sessions).toHaveLength(1)
    expect(fetcher.stats).toMatchObject({ open: 0, idle: 0 })
  })

  test('one that is stopped ends alone', async () => {
    await using server = await createH2Server((request, response) => {
      if (request.url === '/whole') setTimeout(() => response.end('whole'), 30)
      else response.write('never ends')
    })
    await using fetcher = h2()
    const stop = new AbortController()
    const stopped = get(fetcher, server.url('/endless'), stop.signal)
    const whole = get(fetcher, server.url('/whole'))
    setTimeout(() => stop.abort(), 10)
    expect(wordsOf(await stopped)).toBe('failed ABORTED')
    expect(wordsOf(await whole)).toBe('page 200 "whole"')
    expect(server.sessions).toHaveLength(1)
  })

  test('closing the fetcher ends them all, and every socket', async () => {
    await using server = await createH2Server((_, response) => void response.write('never ends'))
    const fetcher = h2()
    const under = Promise.all([get(fetcher, server.url('/1')), get(fetcher, server.url('/2'))])
    setTimeout(() => void fetcher[Symbol.asyncDispose](), 50)
    expect((await under).map(wordsOf)).toEqual(['failed ABORTED', 'failed ABORTED'])
    await fetcher[Symbol.asyncDispose]()
    expect(fetcher.stats.open).toBe(0)
  })
})

describe('the same rules as for HTTP/1.1', () => {
  const answers: readonly (readonly [string, string, Partial<FetcherOptions>?])[] = [
    ['/page', 'page 200 "page"'],
    ['/empty', 'page 204 ""'],
    ['/gone', 'gone 404'],
    ['/moved', 'moved 301 https://elsewhere.test/'],
    ['/throttled', 'throttled 429'],
    ['/broken', 'failed SERVER_ERROR'],
    ['/image', 'failed CONTENT_TYPE'],
    ['/large', 'failed BODY_TOO_LARGE', { bodyBytes: 1_000 }],
    ['/endless', 'failed BODY_TOO_LARGE', { bodyBytes: 100_000 }],
    ['/short', 'failed RESPONSE_TRUNCATED'],
    ['/reset', 'failed RESPONSE_TRUNCATED'],
    ['/unanswered', 'failed CONNECT_FAILED'],
    ['/silent', 'failed RESPONSE_TIMEOUT', { timeouts: { ...timeouts, firstByteMs: 50 } }],
    ['/stalled', 'failed RESPONSE_TIMEOUT', { timeouts: { ...timeouts, idleMs: 50 } }],
    ['/informed', 'page 200 "informed"'],
    ['/gonewithbody', 'gone 410'],
  ]
  for (const [path, words, options = {}] of answers)
    test(`${path} is ${words}`, async () => {
      await using server = await createH2Server(({ url, stream }, response) => {
        const send = (status: number, headers: Record<string, string | number> = html) =>
          response.writeHead(status, headers)
        switch (url) {
          case '/page':
            return send(200).end('page')
          case '/empty':
            return send(204).end()
          case '/gone':
            return send(404).end('no such page')
          case '/gonewithbody':
            return send(410).end('x'.repeat(200_000))
          case '/moved':
            return send(301, { location: 'https://elsewhere.test/' }).end()
          case '/throttled':
            return send(429, { 'retry-after': '5' }).end()
          case '/broken':
            return send(502).end()
          case '/image':
            return send(200, { 'content-type': 'image/png' }).end('PNG')
          case '/large':
            return send(200, { ...html, 'content-length': 5_000 }).end('x'.repeat(5_000))
          case '/endless': {
            const more = (): void => void response.write('x'.repeat(16_000), () => setImmediate(more))
            send(200)
            return more()
          }
          case '/short':
            send(200, { ...html, 'content-length': 500 }).write('x')
            return void setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR))
          case '/reset':
            send(200).write('x')
            return void setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 10)
          case '/unanswered':
            return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
          case '/stalled':
            return void send(200).write('x')
          case '/informed':
            stream.additionalHeaders({ ':status': 103, link: '</a.css>; rel=preload' })
            return send(200).end('informed')
          default:
            return undefined
        }
      })
      await using fetcher = h2(options)
      expect(wordsOf(await get(fetcher, server.url(path)))).toBe(words)
    })

  test('headers go in lower case, without those of a connection, and cookies one by one', async () => {
    const seen: (readonly [string, string])[] = []
    await using server = await createH2Server((request, response) => {
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        seen.push([request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? ''])
      response.writeHead(200, { ...html, 'set-cookie': ['a=1', 'b=2; Path=/'], 'x-twice': ['1', '2'] }).end()
    })
    await using fetcher = h2({ headers: { Cookie: 'a=1; b=2', 'X-Own': 'Yes' } })
    const outcome = await get(fetcher, server.url('/path?q=1'))
    expect(seen).toContainEqual([':path', '/path?q=1'])
    expect(seen).toContainEqual([':authority', `localhost:${server.port}`])
    expect(seen).toContainEqual(['x-own', 'Yes'])
    expect(seen.filter(([name]) => name === 'cookie').map(([, value]) => value)).toEqual(['a=1', 'b=2'])
    expect(seen.map(([name]) => name)).not.toContain('connection')
    expect(outcome.kind === 'page' && outcome.page.headers['set-cookie']).toBe('a=1, b=2; Path=/')
    expect(outcome.kind === 'page' && outcome.page.headers['x-twice']).toBe('1, 2')
    expect(outcome.kind === 'page' && Object.keys(outcome.page.headers)).not.toContain(':status')
  })

  test('what a stranger names never joins a connection into our own network', async () => {
    await using server = await createH2Server((_, response) => response.end('inside'))
    await using fetcher = h2()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "inside"')
    const task = { ...taskFor(server.url()), reach: 'public' as const }
    const outcome = await fetcher.fetch({ task, route: null, grow: () => {} }, new AbortController().signal)
    expect(wordsOf(outcome)).toBe('failed ADDRESS_REFUSED')
  })
})

describe('a host that leaves', () => {
  test('with GOAWAY in order finishes what it began, and gets what it did not on another connection, uncounted', async () => {
    await using server = await createRawH2Server(({ socket, stream, at, connection }) => {
      if (connection > 0) {
        socket.write(frame('headers', 4, stream, okHeaders))
        socket.write(frame('data', 1, stream, Buffer.from('second')))
        return
      }
      // The first is answered after the second was turned away.
      if (at !== 1) return
      socket.write(frame('goaway', 0, 0, Buffer.concat([u32(1), u32(0)])))
      socket.write(frame('headers', 4, 1, okHeaders))
      socket.write(frame('data', 1, 1, Buffer.from('first')))
    })
    await using fetcher = h2()
    const outcomes = await Promise.all([get(fetcher, server.url('/1')), get(fetcher, server.url('/2'))])
    expect(outcomes.map(wordsOf)).toEqual(['page 200 "first"', 'page 200 "second"'])
    expect(server.connections).toBe(2)
  })

  test('with an idle connection is asked on another one', async () => {
    await using server = await createH2Server((_, response) => response.writeHead(200, html).end('ok'))
    await using fetcher = h2()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "ok"')
    const [first] = server.sessions
    first?.destroy()
    if (first !== undefined && !first.destroyed) await once(first, 'close')
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "ok"')
    expect(server.sessions).toHaveLength(2)
  })

  test('in the middle of everything fails what was under way, each for itself', async () => {
    await using server = await createH2Server((request, response) => {
      response.writeHead(200, html).write('part')
      if (request.url === '/2') setTimeout(() => request.stream.session?.destroy(), 20)
    })
    await using fetcher = h2()
    const outcomes = await Promise.all([get(fetcher, server.url('/1')), get(fetcher, server.url('/2'))])
    expect(outcomes.map(wordsOf)).toEqual(['failed RESPONSE_TRUNCATED', 'failed RESPONSE_TRUNCATED'])
  })
})

describe('a host that declines', () => {
  for (const [name, code, words] of [
    ['REFUSED_STREAM', constants.NGHTTP2_REFUSED_STREAM, 'throttled 503'],
    ['ENHANCE_YOUR_CALM', constants.NGHTTP2_ENHANCE_YOUR_CALM, 'throttled 429'],
  ] as const)
    test(`by ${name} asks to wait: it costs the URL nothing, and is asked less`, async () => {
      await using server = await createRawH2Server(
        ({ socket, stream }) => void socket.write(frame('rst', 0, stream, u32(code))),
      )
      await using fetcher = h2()
      expect(wordsOf(await get(fetcher, server.url()))).toBe(words)
      expect(server.connections).toBe(1)
    })
})

describe('a host that means harm', () => {
  const settings = (socket: { write(bytes: Uint8Array): unknown }) =>
    void socket.write(frame('settings', 0, 0, nothing))
  const short = { timeouts: { ...timeouts, firstByteMs: 300, idleMs: 300, totalMs: 2_000 } }

  test('sending pings without end is given up by the clock, and cannot fill the memory', async () => {
    await using server = await createRawH2Server(({ socket }) => {
      const ping = Buffer.concat(Array.from({ length: 200 }, () => frame('ping', 0, 0, Buffer.alloc(8))))
      const timer = setInterval(() => socket.writable && socket.write(ping), 2)
      socket.once('close', () => clearInterval(timer))
    })
    await using fetcher = h2(short)
    expect(wordsOf(await get(fetcher, server.url()))).toMatch(
      /^failed (RESPONSE_TIMEOUT|RESPONSE_INVALID|CONNECT_FAILED)$/,
    )
  })

  test('sending settings without end is given up', async () => {
    await using server = await createRawH2Server(({ socket }) => {
      const many = Buffer.concat(Array.from({ length: 200 }, () => frame('settings', 0, 0, nothing)))
      const timer = setInterval(() => socket.writable && socket.write(many), 2)
      socket.once('close', () => clearInterval(timer))
    })
    await using fetcher = h2(short)
    expect(wordsOf(await get(fetcher, server.url()))).toMatch(
      /^failed (RESPONSE_TIMEOUT|RESPONSE_INVALID|CONNECT_FAILED)$/,
    )
  })

  test('sending a head without end (CONTINUATION) is no HTTP', async () => {
    await using server = await createRawH2Server(({ socket, stream }) => {
      // A literal header without a place in the table: 0x00, name, value.
      const literal = Buffer.concat([
        Buffer.from([0, 3]),
        Buffer.from('x-a'),
        Buffer.from([100]),
        Buffer.alloc(100, 'v'),
      ])
      const block = Buffer.concat(Array.from({ length: 100 }, () => literal))
      socket.write(frame('headers', 0, stream, okHeaders))
      for (let nth = 0; nth < 200 && socket.writable; nth += 1) socket.write(frame('continuation', 0, stream, block))
    })
    await using fetcher = h2(short)
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed RESPONSE_INVALID')
  })

  test('resetting every request as it comes costs one request each, and no loop', async () => {
    let requests = 0
    await using server = await createRawH2Server(({ socket, stream }) => {
      requests += 1
      socket.write(frame('rst', 0, stream, u32(constants.NGHTTP2_CANCEL)))
    })
    await using fetcher = h2(short)
    for (let nth = 0; nth < 5; nth += 1) expect(wordsOf(await get(fetcher, server.url()))).toBe('failed CONNECT_FAILED')
    expect(requests).toBeLessThanOrEqual(10)
  })

  test('saying GOAWAY to every connection costs two connections for one request, and no loop', async () => {
    await using server = await createRawH2Server(({ socket }) => {
      socket.write(frame('goaway', 0, 0, Buffer.concat([u32(0), u32(0)])))
    })
    await using fetcher = h2(short)
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed CONNECT_FAILED')
    expect(server.connections).toBe(2)
  })

  for (const [name, bytes] of [
    ['HTTP/1.1', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')],
    ['frames that are too long', frame('data', 0, 1, Buffer.alloc(100_000))],
    ['a frame of a stream that nobody opened', frame('data', 1, 99, Buffer.from('x'))],
  ] as const)
    test(`sending ${name} is no HTTP/2`, async () => {
      await using server = await createRawH2Server(({ socket }) => void socket.write(bytes), settings)
      await using fetcher = h2(short)
      const outcome = await get(fetcher, server.url())
      expect(wordsOf(outcome), messageOf(outcome)).toBe('failed RESPONSE_INVALID')
    })

  test('opening its window by nothing and allowing no stream is given up by the clock', async () => {
    const noStreams = frame('settings', 0, 0, Buffer.concat([Buffer.from([0, 3]), u32(0)]))
    await using server = await createRawH2Server(
      () => {},
      socket => void socket.write(noStreams),
    )
    await using fetcher = h2(short)
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed RESPONSE_TIMEOUT')
  })
})

test('a body larger than every window comes whole', async () => {
  const body = Buffer.alloc(5 * 2 ** 20, 'abcdefghij')
  await using server = await createH2Server((_, response) => response.writeHead(200, html).end(body))
  await using fetcher = h2()
  const outcome = await get(fetcher, server.url())
  expect(outcome.kind === 'page' && Buffer.compare(Buffer.from(outcome.page.body), body)).toBe(0)
})

test('a crawl over HTTP/2 has no more requests under way than the limit of its host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-h2-'))
  await writeFile(join(folder, 'ca.pem'), cert)
  await using server = await createH2Server((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    setTimeout(() => response.writeHead(200, html).end(`<h1>${request.url}</h1>`), 3)
  })
  const seeds = Array.from({ length: 40 }, (_, nth) => server.url(`/${nth}`))
  const limits = { perHost: { policy: 'fixed', max: 5 } } as const
  const job = { name: 'h2', seeds, item: { title: 'h1' }, http2: true, tls: { ca: join(folder, 'ca.pem') }, limits }
  const report = await crawl(job, { threads: 0 }).finished()
  expect(report.ledger.done).toBe(40)
  expect(server.peak).toBe(5)
  expect(server.sessions).toHaveLength(1)
  await rm(folder, { recursive: true })
})
