import { describe, expect, test } from 'vitest'
import { answerOf, createRawServer, type RawAnswer } from '../servers/raw.ts'
import { fetcherWith, get, getOnce, messageOf, wordsOf } from './kit.ts'

const a65536 = 'a'.repeat(65_536)
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

interface Case {
  readonly name: string
  readonly answer: RawAnswer
  readonly close?: boolean
  readonly outcome: string
}

const cases: readonly Case[] = [
  { name: 'a body of its declared length is a page', answer: answerOf('hello'), outcome: 'page 200 "hello"' },
  { name: 'an empty body is a page', answer: answerOf(''), outcome: 'page 200 ""' },
  {
    name: 'a body without any length ends with its connection',
    answer: 'HTTP/1.1 200 OK\r\n\r\nhello',
    close: true,
    outcome: 'page 200 "hello"',
  },
  { name: 'an HTTP/1.0 answer is a page', answer: 'HTTP/1.0 200 OK\r\n\r\nhi', close: true, outcome: 'page 200 "hi"' },
  {
    name: 'chunks are put together',
    answer: `${chunked}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`,
    outcome: 'page 200 "hello"',
  },
  {
    name: 'chunk extensions and trailers are passed over',
    answer: `${chunked}5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\nContent-Type: image/png\r\n\r\n`,
    outcome: 'page 200 "hello"',
  },
  {
    name: 'a body shorter than declared is truncated',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello',
    close: true,
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  {
    name: 'chunks without their end are truncated',
    answer: `${chunked}3\r\nhel\r\n`,
    close: true,
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  {
    name: 'chunks without their end are truncated, also where the server said it would close',
    answer: 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n',
    close: true,
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  {
    name: 'a chunk cut in the middle is truncated',
    answer: `${chunked}9\r\nhel`,
    close: true,
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  {
    name: 'a chunk size that is no number is no HTTP',
    answer: `${chunked}zz\r\nhel\r\n0\r\n\r\n`,
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'a head cut in the middle is truncated',
    answer: 'HTTP/1.1 200 OK\r\nContent-Le',
    close: true,
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  { name: 'a connection closed without an answer failed', answer: '', close: true, outcome: 'failed CONNECT_FAILED' },
  {
    name: 'a connection reset without an answer failed',
    answer({ socket }) {
      socket.resetAndDestroy()
      return undefined
    },
    outcome: 'failed CONNECT_FAILED',
  },
  { name: 'garbage is no HTTP', answer: 'SSH-2.0-OpenSSH_9.6\r\n', outcome: 'failed RESPONSE_INVALID' },
  {
    name: 'bytes of no text are no HTTP',
    answer: Buffer.from([0, 1, 2, 255, 254, 10]),
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'two different lengths are no HTTP',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'a length beside chunks is no HTTP',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    outcome: 'failed RESPONSE_INVALID',
  },
  ...[
    ['a length with blanks around it is a length', 'Content-Length: \t 5  ', 'page 200 "hello"'],
    ['a length with zeros before it is a length', 'Content-Length: 005', 'page 200 "hello"'],
    ['a length said twice is no HTTP, though it is the same', 'Content-Length: 5\r\nContent-Length: 5'],
    ['a list of lengths is no HTTP', 'Content-Length: 5, 5'],
    ['a length with a sign is no HTTP', 'Content-Length: +5'],
    ['a length with a fraction is no HTTP', 'Content-Length: 5.0'],
    ['a length beyond all numbers is no HTTP', 'Content-Length: 18446744073709551621'],
    ['an empty length is no HTTP', 'Content-Length:'],
    ['a length behind a blank in its name is no HTTP', 'Content-Length : 5'],
    ['a header without a value is a header', 'X-A:\r\nContent-Length: 5', 'page 200 "hello"'],
    [
      'a header that goes on in a second line is a header',
      'X-A: a,\r\n\tb\r\n  c\r\nContent-Length: 5',
      'page 200 "hello"',
    ],
    ['three hundred headers are read', `${'X-A: b\r\n'.repeat(300)}Content-Length: 5`, 'page 200 "hello"'],
    ['bytes above ASCII in a header are read', 'X-A: caf\xe9\r\nContent-Length: 5', 'page 200 "hello"'],
    ['a header without a name is no HTTP', ': a\r\nContent-Length: 5'],
    ['a line that is no header is no HTTP', 'nonsense\r\nContent-Length: 5'],
    ['a NUL in a header is no HTTP', 'X-A: a\0b\r\nContent-Length: 5'],
  ].map(([name = '', headers, outcome = 'failed RESPONSE_INVALID']) => ({
    name,
    answer: `HTTP/1.1 200 OK\r\n${headers}\r\n\r\nhello`,
    outcome,
  })),
  ...[
    ['without its reason is read', 'HTTP/1.1 200', 'page 200 "hello"'],
    ['after an empty line is read', '\r\nHTTP/1.1 200 OK', 'page 200 "hello"'],
    ['of a status with four digits is no HTTP', 'HTTP/1.1 2000 OK'],
    ['of a status with two digits is no HTTP', 'HTTP/1.1 20 OK'],
    ['of status 000 is no HTTP', 'HTTP/1.1 000 OK'],
    ['of another protocol is no HTTP', 'ICY 200 OK'],
    ['that is not there is no HTTP', '<html>'],
  ].map(([name = '', line, outcome = 'failed RESPONSE_INVALID']) => ({
    name: `a status line ${name}`,
    answer: `${line}\r\nContent-Length: 5\r\n\r\nhello`,
    outcome,
  })),
  ...[
    [
      'a chunk size in any case, with zeros before it, is a size',
      '00a\r\n0123456789\r\n0\r\n\r\n',
      'page 200 "0123456789"',
    ],
    ['a chunk size beyond all numbers is no HTTP', 'fffffffffffffffff\r\nhello'],
    ['a chunk longer than it says is no HTTP', '5\r\nhelloXX\r\n0\r\n\r\n'],
    [
      'trailers that speak of framing change nothing',
      '5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n',
      'page 200 "hello"',
    ],
    ['a length among trailers is no HTTP', '5\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n'],
  ].map(([name = '', body, outcome = 'failed RESPONSE_INVALID']) => ({ name, answer: `${chunked}${body}`, outcome })),
  {
    name: 'a 204 with chunks has no body',
    answer: 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    outcome: 'page 204 ""',
  },
  {
    name: 'a part that nobody asked for is no page',
    answer: 'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/10\r\nContent-Length: 5\r\n\r\nhello',
    outcome: 'failed RESPONSE_TRUNCATED',
  },
  {
    name: 'a negative length is no HTTP',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc',
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'interim answers are passed over',
    answer: `HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${answerOf('hello')}`,
    outcome: 'page 200 "hello"',
  },
  {
    name: 'a 100 nobody asked for is passed over',
    answer: `HTTP/1.1 100 Continue\r\n\r\n${answerOf('hello')}`,
    outcome: 'page 200 "hello"',
  },
  {
    name: 'an upgrade nobody asked for is no answer',
    answer: 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\nabc',
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'a flood of headers is no HTTP',
    answer: `HTTP/1.1 200 OK\r\n${'X-Flood: 0123456789\r\n'.repeat(10_000)}\r\nhello`,
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'one header without end is no HTTP',
    answer: `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\nhello`,
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'a flood of trailers is no HTTP',
    answer: `${chunked}5\r\nhello\r\n0\r\n${'X-Flood: 0123456789\r\n'.repeat(10_000)}\r\n`,
    outcome: 'failed RESPONSE_INVALID',
  },
  {
    name: 'headers of thirty kilobytes are read',
    answer: answerOf('hello', [`X-Policy: ${'x'.repeat(30_000)}`]),
    outcome: 'page 200 "hello"',
  },
  {
    name: 'a 204 has no body, whatever it says',
    answer: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
    outcome: 'page 204 ""',
  },
  {
    name: 'a 204 with a coding is empty',
    answer: 'HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n',
    outcome: 'page 204 ""',
  },
  {
    name: 'a 304 has no body, and nobody asked for it',
    answer: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello',
    outcome: 'failed HTTP_STATUS',
  },
  {
    name: 'a complete body and the end of the connection in one packet are a page (said before)',
    answer: `HTTP/1.1 200 OK\r\nContent-Length: 65536\r\nConnection: close\r\n\r\n${a65536}`,
    close: true,
    outcome: `page 200 "${a65536}"`,
  },
  {
    name: 'a complete body and the end of the connection in one packet are a page (not said before)',
    answer: `HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n${a65536}`,
    close: true,
    outcome: `page 200 "${a65536}"`,
  },
  ...['gzip', 'x-gzip', 'deflate', 'br'].map(coding => ({
    name: `an empty body under ${coding} is an empty page`,
    answer: `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
    close: true,
    outcome: 'page 200 ""',
  })),
]

describe('framing', () => {
  for (const { name, answer, close = false, outcome } of cases)
    test(name, async () => {
      await using server = await createRawServer({ answer, close })
      expect(wordsOf(await getOnce(server.url()))).toBe(outcome)
      await server.idle()
    })

  test('a header that goes on in a second line is one value', async () => {
    await using server = await createRawServer(answerOf('hi', ['X-A: a,\r\n\tb', 'X-B: c']))
    const outcome = await getOnce(server.url())
    expect(outcome.kind === 'page' && outcome.page.headers).toMatchObject({ 'x-a': 'a,  \tb', 'x-b': 'c' })
  })

  for (const closing of ['Connection: close\r\n', ''])
    for (const [name, length, outcome] of [
      ['all of it', 65_536, `page 200 "${a65536}"`],
      ['all but a byte', 65_537, 'failed RESPONSE_TRUNCATED'],
    ] as const)
      test(`${name} and the end of the connection, there before we look, ${closing ? '' : 'not '}said before`, async () => {
        await using server = await createRawServer(({ socket }) => {
          socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n${closing}\r\n${a65536}`)
          for (const untilMs = performance.now() + 100; performance.now() < untilMs; );
          return undefined
        })
        expect(wordsOf(await getOnce(server.url())) === outcome).toBe(true)
      })

  test('a truncated body says how far it came', async () => {
    await using server = await createRawServer({
      answer: `HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n${a65536}`,
      close: true,
    })
    const outcome = await getOnce(server.url())
    expect(wordsOf(outcome)).toBe('failed RESPONSE_TRUNCATED')
    expect(messageOf(outcome)).toContain('65536 of 65537 bytes')
    expect(outcome).toMatchObject({ status: 200, timing: { connectMs: expect.any(Number) } })
  })

  test('repeated headers are joined, and names of the prototype are names like others', async () => {
    await using server = await createRawServer(
      answerOf('hi', [
        'X-A: 1',
        'x-a: 2',
        '__proto__: 3',
        'constructor: 4',
        'Constructor: 5',
        'Content-Encoding: GZIP',
      ]),
    )
    const outcome = await getOnce(server.url())
    expect(outcome.kind === 'page' ? Object.entries(outcome.page.headers) : []).toEqual([
      ['content-length', '2'],
      ['x-a', '1, 2'],
      ['__proto__', '3'],
      ['constructor', '4, 5'],
      ['content-encoding', 'GZIP'],
    ])
    expect(({} as Record<string, unknown>)['x-a']).toBeUndefined()
  })
})

describe('bytes after the declared end', () => {
  const second = answerOf('second')

  for (const [name, extra] of [
    ['garbage', 'garbage'],
    ['a whole answer', answerOf('poison')],
    ['an empty line', '\r\n'],
  ] as const)
    test(`${name} is no error of the page, and never part of the next one`, async () => {
      await using server = await createRawServer(({ connection, at }) =>
        connection === 0 && at === 0 ? `${answerOf('first')}${extra}` : second,
      )
      await using fetcher = fetcherWith()
      expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "first"')
      expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "second"')
    })

  test('bytes that come late, before the next request, are not taken for its answer', async () => {
    await using server = await createRawServer(({ socket, connection, at }) => {
      if (connection > 0 || at > 0) return second
      socket.write(answerOf('first'), () => setImmediate(() => socket.write(answerOf('poison'))))
      return undefined
    })
    await using fetcher = fetcherWith()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "first"')
    await new Promise(resolve => server.requests[0]?.socket.once('close', resolve))
    expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "second"')
    expect(server.connections).toBe(2)
  })

  test('a body on a 204 or 304 is never the next answer', async () => {
    for (const status of ['204 No Content', '304 Not Modified']) {
      await using server = await createRawServer(({ path }) =>
        path === '/1'
          ? `HTTP/1.1 ${status}\r\nContent-Length: ${answerOf('poison').length}\r\n\r\n${answerOf('poison')}`
          : second,
      )
      await using fetcher = fetcherWith()
      await get(fetcher, server.url('/1'))
      expect(wordsOf(await get(fetcher, server.url('/2')))).toBe('page 200 "second"')
    }
  })
})
