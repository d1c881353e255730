import { describe, expect, test } from 'vitest'
import { answerOf, createRawServer, type RawRequest } from '../servers/raw.ts'
import { cert, key } from './certificates.ts'
import { createHandClock, fetcherWith, get, messageOf, timeouts, wordsOf } from './kit.ts'

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

/** Piece after piece, each in a packet of its own, with turns of the loop in which other sockets are read. */
async function sendSlowly({ socket }: RawRequest, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise(resolve => socket.write(piece, 'latin1', resolve))
    await turns(3)
  }
}

/** Of no round size, and of its own letter. */
const bodyFor = (at: number): string => String.fromCharCode(97 + (at % 26)).repeat(150_000 + 7_777 * at)

describe('memory that all sockets share', () => {
  for (const [name, tls] of [
    ['plain', undefined],
    ['secure', { key, cert }],
  ] as const)
    test(`bodies that come at once over ${name} sockets are each their own`, async () => {
      await using server = await createRawServer({
        answer: ({ path }) => answerOf(bodyFor(Number(path.slice(1)))),
        ...(tls !== undefined && { tls }),
      })
      await using fetcher = fetcherWith({ connections: 24, tls: { ca: cert } })
      const paths = Array.from({ length: 24 }, (_, at) => at)
      const outcomes = await Promise.all(paths.map(at => get(fetcher, server.url(`/${at}`, 'localhost'))))
      for (const [at, outcome] of outcomes.entries()) {
        const body = outcome.kind === 'page' ? Buffer.from(outcome.page.body).toString('latin1') : outcome.kind
        expect(body === bodyFor(at)).toBe(true)
      }
    })

  test('a head, chunk sizes and trailers cut anywhere are whole, however much other sockets read meanwhile', async () => {
    const answer = [
      'HTTP/1.1 200 OK\r\nX-First: one\r\nTransfer-Encoding: chunked\r\nX-Second: two\r\n\r\n',
      '5;ext=1\r\nhello\r\n00006\r\n world\r\n0\r\nX-Trailer: three\r\n\r\n',
    ].join('')
    const loud = answerOf('X-Loud: '.repeat(10_000))
    await using server = await createRawServer(request => {
      const cut = Number(request.path.slice(1))
      if (cut === 0) return loud
      void sendSlowly(request, [answer.slice(0, cut), answer.slice(cut)])
      return undefined
    })
    await using fetcher = fetcherWith({ connections: 32 })
    let isOver = false
    const noise = Array.from({ length: 4 }, async () => {
      while (!isOver) await get(fetcher, server.url('/0'))
    })
    const cuts = Array.from({ length: answer.length - 1 }, (_, at) => at + 1)
    const outcomes = await Promise.all(cuts.map(cut => get(fetcher, server.url(`/${cut}`))))
    isOver = true
    await Promise.all(noise)
    for (const outcome of outcomes) {
      expect(wordsOf(outcome)).toBe('page 200 "hello world"')
      expect(outcome.kind === 'page' && Object.entries(outcome.page.headers)).toEqual([
        ['x-first', 'one'],
        ['transfer-encoding', 'chunked'],
        ['x-second', 'two'],
      ])
    }
  })

  test('a head cut within the line that ends it does not count bytes of the body twice', async () => {
    const [head, body] = ['HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r', '\nabcd\r\n\r\nefgh\r\n\r\nijkl']
    await using server = await createRawServer(request => {
      void sendSlowly(request, [head, body])
      return undefined
    })
    await using fetcher = fetcherWith()
    for (let round = 0; round < 3; round += 1)
      expect(wordsOf(await get(fetcher, server.url()))).toBe(`page 200 ${JSON.stringify(body.slice(1))}`)
    expect(server.connections).toBe(1)
  })

  test('what came before undici had its socket is kept until it is read', async () => {
    await using server = await createRawServer({
      answer: '',
      accept: socket => void socket.write(answerOf(bodyFor(3))),
    })
    await using fetcher = fetcherWith()
    expect(wordsOf(await get(fetcher, server.url())) === `page 200 "${bodyFor(3)}"`).toBe(true)
  })
})

describe('a 100 nobody asked for', () => {
  const go = 'HTTP/1.1 100 Continue\r\n\r\n'
  const words = async (...pieces: readonly string[]): Promise<string[]> => {
    await using server = await createRawServer(request => {
      void sendSlowly(request, pieces)
      return undefined
    })
    await using fetcher = fetcherWith()
    return [wordsOf(await get(fetcher, server.url())), wordsOf(await get(fetcher, server.url()))]
  }

  for (const [name, pieces] of [
    ['in one piece with the answer', [`${go}${answerOf('hello')}`]],
    ['before the answer', [go, answerOf('hello')]],
    ['with headers of its own', [`HTTP/1.1 100 Go on\r\nX-A: b\r\n\r\n${answerOf('hello')}`]],
    ['twice', [`${go}${go}`, answerOf('hello')]],
    ['among other interim answers', [`HTTP/1.1 103 Early Hints\r\n\r\n${go}`, answerOf('hello')]],
  ] as const)
    test(`${name} is passed over, and the connection used again`, async () => {
      expect(await words(...pieces)).toEqual(Array(2).fill('page 200 "hello"'))
    })

  test('is text like any other within a body', async () => {
    expect(await words(`HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n`, `x${go}`)).toEqual(
      Array(2).fill(`page 200 ${JSON.stringify(`x${go}`)}`),
    )
  })

  test('over TLS is passed over as well', async () => {
    await using server = await createRawServer({ answer: `${go}${answerOf('hello')}`, tls: { key, cert } })
    await using fetcher = fetcherWith({ tls: { ca: cert } })
    expect(wordsOf(await get(fetcher, server.url('/', 'localhost')))).toBe('page 200 "hello"')
  })

  test('in pieces ends the attempt: undici hangs up on it', async () => {
    const [first] = await words('HTTP/1.1 100 Con', 'tinue\r\n\r\n', answerOf('hello'))
    expect(first).toBe('failed RESPONSE_INVALID')
  })

  test('that no answer follows does not outlive the limit of the first byte', async () => {
    await using server = await createRawServer(go)
    const clock = createHandClock()
    await using fetcher = fetcherWith({ env: clock.env, timeouts })
    const asking = get(fetcher, server.url())
    while (server.requests.length === 0) await turns(1)
    await turns(20)
    clock.advance(timeouts.firstByteMs)
    expect(messageOf(await asking)).toContain('timeouts.firstByteMs')
  })
})
