import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/core/outcome.ts'
import { answerOf, createRawServer, type RawAnswer, type RawOptions, type RawRequest } from '../../servers/raw.ts'
import { cert, key } from '../certificates.ts'
import { fetcherWith, messageOf, timeouts, wordsOf } from '../kit.ts'
import { credentials, faultWords, fetchBy, fetchOnceBy, routeTo } from './kit.ts'

const page = 'https://a.test/'
const plainPage = 'http://a.test/x?y'
const quick = { ...timeouts, connectMs: 150, firstByteMs: 150 }

const hangUp = ({ socket }: RawRequest): undefined => void socket.end()
const reset = ({ socket }: RawRequest): undefined => void socket.resetAndDestroy()
const silent = (): undefined => undefined
const html = answerOf('<html><h1>Blocked</h1>', ['Content-Type: text/html'])

interface Case {
  readonly name: string
  readonly answer: RawAnswer
  readonly words: string | null
  readonly says: string
}

async function ask(url: string, proxy: RawOptions, login: typeof credentials | null = null): Promise<Outcome> {
  await using server = await createRawServer(proxy)
  const outcome = await fetchOnceBy(url, routeTo({ protocol: 'http', port: server.port, credentials: login }), {
    timeouts: quick,
  })
  expect(server.requests.length).toBe(1)
  expect(server.connections).toBe(1)
  return outcome
}

describe('a proxy that is asked for a tunnel, once, and', () => {
  const cases: readonly Case[] = [
    { name: 'hangs up', answer: hangUp, words: 'connect null', says: 'hung up while it was asked' },
    { name: 'resets', answer: reset, words: 'connect null', says: 'hung up while it was asked: read ECONNRESET' },
    { name: 'stays silent', answer: silent, words: 'timeout null', says: 'silent until timeouts.connectMs' },
    {
      name: 'stops in the middle of its head',
      answer: 'HTTP/1.1 200 Conn',
      words: 'timeout null',
      says: 'silent until timeouts.connectMs',
    },
    {
      name: 'wants other credentials',
      answer: answerOf('', ['Proxy-Authenticate: Basic realm="x"'], '407 Proxy Authentication Required'),
      words: 'denied 407',
      says: 'answered CONNECT with 407: Proxy Authentication Required',
    },
    {
      name: 'has no way to the host',
      answer: answerOf('<html><style>p{}</style><p>No route\x1b[31m to\r\n host</p>', [], '502 Bad Gateway'),
      words: 'refused 502',
      says: 'answered CONNECT with 502: Bad Gateway; No route [31m to host',
    },
    {
      name: 'is overloaded',
      answer: 'HTTP/1.0 503\r\nX-Squid-Error: ERR_CONNECT_FAIL 111\r\n\r\n',
      words: 'refused 503',
      says: 'answered CONNECT with 503: ERR_CONNECT_FAIL 111',
    },
    {
      name: 'does not get there in time',
      answer: answerOf('', [], '504 Gateway Timeout'),
      words: 'refused 504',
      says: 'answered CONNECT with 504: Gateway Timeout',
    },
    { name: 'redirects', answer: answerOf('', [], '302 Found'), words: 'refused 302', says: 'with 302: Found' },
    {
      name: 'speaks garbage',
      answer: '\x16\x03garbage',
      words: 'connect null',
      says: 'its answer to CONNECT is no HTTP',
    },
    {
      name: 'floods its head',
      answer: `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(5_000)}`,
      words: 'connect null',
      says: 'is no HTTP',
    },
    { name: 'answers with a page', answer: html, words: 'refused 200', says: '200 and bytes of its own behind it' },
    {
      name: 'answers with a page after a while',
      answer: ({ socket }) => {
        socket.write(html.slice(0, html.indexOf('<')))
        setTimeout(() => socket.end('<html><h1>Blocked</h1>'), 20)
        return undefined
      },
      words: 'refused 200',
      says: 'answered CONNECT with 200 and a page of its own',
    },
  ]
  for (const { name, answer, words, says } of cases)
    test(`${name} has failed: ${words}`, async () => {
      const outcome = await ask(page, { answer })
      expect(faultWords(outcome)).toBe(words)
      expect(messageOf(outcome)).toContain(`${page}: gate.test:8000: `)
      expect(messageOf(outcome)).toContain(says)
      expect(outcome).toMatchObject({ timing: null, retryAfterMs: null })
    })

  test('opens it to a host that hangs up in its handshake: the host`s', async () => {
    const outcome = await ask(page, {
      answer: ({ socket }) => {
        socket.once('data', () => socket.resetAndDestroy())
        return 'HTTP/1.1 200 Connection established\r\n\r\n'
      },
    })
    expect(wordsOf(outcome)).toBe('failed CONNECT_FAILED')
  })

  test('opens it to a host that never shakes hands: its time is up as without a proxy', async () => {
    expect(wordsOf(await ask(page, { answer: 'HTTP/1.1 200 OK\r\n\r\n' }))).toBe('failed CONNECT_TIMEOUT')
  })

  test('opens it after signs of life is waited for', async () => {
    await using server = await createRawServer({ answer: 'HTTP/1.1 103 Wait\r\n\r\nHTTP/1.1 407 No\r\n\r\n' })
    expect(faultWords(await fetchOnceBy(page, routeTo({ protocol: 'http', port: server.port })))).toBe('denied 407')
  })

  test('is not there has failed: connect', async () => {
    const outcome = await fetchOnceBy(page, routeTo({ protocol: 'http', port: 1 }))
    expect(faultWords(outcome)).toBe('connect null')
    expect(messageOf(outcome)).toContain('ECONNREFUSED')
  })

  test('has no address has failed: connect', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    const route = routeTo({ protocol: 'http', port: 80 }, {}, { host: 'gate.test' })
    const outcome = await fetchOnceBy(page, route, { addresses: { lookup } })
    expect(faultWords(outcome)).toBe('connect null')
    expect(messageOf(outcome)).toContain('its name was not found')
  })

  test('shows a certificate of nobody has failed: connect', async () => {
    await using server = await createRawServer({ answer: html, tls: { key, cert } })
    const route = routeTo({ protocol: 'https', port: server.port })
    const outcome = await fetchOnceBy(page, route, { tls: {} })
    expect(faultWords(outcome)).toBe('connect null')
    expect(messageOf(outcome)).toContain('no TLS with it')
    expect(server.requests).toEqual([])
  })

  test('repeats what it was asked is not quoted', async () => {
    for (const repeat of [
      (head: string) => head,
      () => `user ${credentials.user} has no credit`,
      () => encodeURIComponent(credentials.password),
    ]) {
      const outcome = await ask(page, { answer: ({ head }) => answerOf(repeat(head), [], '403 Sorry') }, credentials)
      expect(faultWords(outcome)).toBe('refused 403')
      expect(messageOf(outcome)).toBe(
        `${page}: gate.test:8000: answered CONNECT with 403, with a text that is not shown`,
      )
    }
  })

  test('is told of an abort by nobody: it is no fault', async () => {
    const stop = new AbortController()
    await using server = await createRawServer(() => void stop.abort())
    await using fetcher = fetcherWith()
    const route = routeTo({ protocol: 'http', port: server.port })
    expect(wordsOf(await fetchBy(fetcher, page, route, {}, stop.signal))).toBe('failed ABORTED')
    await server.idle()
  })
})

describe('a proxy that is to pass a plain request on, and', () => {
  const own = (status: string, headers: readonly string[] = []): string => answerOf('<h1>no', headers, status)
  const cases: readonly Case[] = [
    { name: 'hangs up', answer: hangUp, words: 'connect null', says: 'hung up without an answer' },
    { name: 'resets', answer: reset, words: 'connect null', says: 'hung up without an answer' },
    { name: 'speaks garbage', answer: 'garbage\r\n\r\n', words: 'connect null', says: 'its answer is no HTTP' },
    { name: 'wants other credentials', answer: own('407 No'), words: 'denied 407', says: 'wants other credentials' },
    {
      name: 'names itself in its error page',
      answer: own('500 Unable to connect', ['Server: tinyproxy/1.11.1']),
      words: 'refused 500',
      says: 'answered with 500 and a page of its own (Server: tinyproxy)',
    },
    {
      name: 'says so in a header, under status 200',
      answer: own('200 OK', ['X-Squid-Error: ERR_DNS_FAIL 0', 'Via: 1.1 gate (squid/5.7)', 'Content-Type: text/html']),
      words: 'refused 200',
      says: '(X-Squid-Error: ERR_DNS_FAIL 0)',
    },
    {
      name: 'has a status of its own',
      answer: own('593 Not Found'),
      words: 'refused 593',
      says: 'no site answers with',
    },
  ]
  for (const { name, answer, words, says } of cases)
    test(`${name} has failed: ${words}`, async () => {
      const outcome = await ask(plainPage, { answer })
      expect(faultWords(outcome), messageOf(outcome)).toBe(words)
      expect(messageOf(outcome)).toContain(says)
    })

  for (const [name, answer, words] of [
    ['passes a 502 of nobody knows whom', own('502 Bad Gateway'), 'failed SERVER_ERROR'],
    ['passes a 503', own('503 Busy'), 'throttled 503'],
    [
      'passes on what a proxy of the site`s says',
      own('503 Busy', ['X-Squid-Error: E 1', 'Via: 1.1 a, 1.1 b']),
      'throttled 503',
    ],
    ['breaks off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'failed RESPONSE_TRUNCATED'],
    ['stays silent, as the site may', undefined, 'failed RESPONSE_TIMEOUT'],
  ] as const)
    test(`${name} leaves it to the host: ${words}`, async () => {
      const close = answer?.endsWith('half') === true
      expect(wordsOf(await ask(plainPage, { answer: answer ?? silent, close }))).toBe(words)
    })

  test('is asked for the whole URL, and told who asks', async () => {
    await using server = await createRawServer(answerOf('ok'))
    const route = routeTo({ protocol: 'http', port: server.port, credentials })
    expect(wordsOf(await fetchOnceBy(plainPage, route))).toBe('page 200 "ok"')
    const [request] = server.requests
    expect(request?.head).toContain('GET http://a.test/x?y HTTP/1.1\r\n')
    expect(request?.head.match(/^host: .*$/gim)).toEqual(['host: a.test'])
    const basic = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    expect(request?.head).toContain(`\r\nProxy-Authorization: Basic ${basic}`)
  })

  test('shows pages of its own under a connection that is kept is judged alike', async () => {
    await using server = await createRawServer(({ at }) => (at === 0 ? answerOf('ok') : own('407 No')))
    await using fetcher = fetcherWith()
    const route = routeTo({ protocol: 'http', port: server.port }, { connection: 'pooled' })
    expect(wordsOf(await fetchBy(fetcher, plainPage, route))).toBe('page 200 "ok"')
    expect(faultWords(await fetchBy(fetcher, plainPage, route))).toBe('denied 407')
    expect(server.connections).toBe(1)
  })
})
