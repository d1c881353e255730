import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/core/outcome.ts'
import type { Timeouts } from '../../src/job/job.ts'
import { answerOf, createRawServer, type RawRequest } from '../servers/raw.ts'
import { createHandClock, fetcherWith, get, type HandClock, messageOf, timeouts, wordsOf } from './kit.ts'

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(resolve => setImmediate(resolve))
}

/** What a body has had told to the page budget: the sign that a byte of it came through. */
function watched(limits: Partial<Timeouts> = {}) {
  const clock = createHandClock()
  const fetcher = fetcherWith({ env: clock.env, timeouts: { ...timeouts, ...limits } })
  return { clock, fetcher }
}

/** Sends piece after piece, `everyMs` on the hand-driven clock apart, each only when the one before has arrived. */
async function drip(
  clock: HandClock,
  pieces: Iterable<string>,
  everyMs: number,
  request: RawRequest,
  ended: () => boolean,
) {
  let sent = 0
  for (const piece of pieces) {
    if (ended() || request.socket.destroyed) return sent
    await new Promise(resolve => request.socket.write(piece, resolve))
    sent += 1
    for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve))
    clock.advance(everyMs)
    await new Promise(resolve => setImmediate(resolve))
  }
  return sent
}

function* forEver(piece: string): Generator<string> {
  for (;;) yield piece
}

const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('clocks', () => {
  test('a body that drips for ever ends at the total limit, and the next request to its host starts', async () => {
    await using server = await createRawServer(({ path }) => (path === '/good' ? answerOf('ok') : chunkedHead))
    const { clock, fetcher } = watched({ totalMs: 1_500 })
    await using _ = fetcher
    let outcome: Outcome | null = null
    const dripping = get(fetcher, server.url()).then(ended => {
      outcome = ended
      return ended
    })
    await until(() => server.requests.length === 1)
    const [request] = server.requests
    if (request === undefined) throw new Error('no request')
    const pieces = await drip(clock, forEver('1\r\nx\r\n'), 200, request, () => outcome !== null)
    expect(wordsOf(await dripping)).toBe('failed RESPONSE_TIMEOUT')
    expect(messageOf(await dripping)).toContain('timeouts.totalMs')
    expect(pieces).toBe(8)
    await server.idle()
    expect(wordsOf(await get(fetcher, server.url('/good')))).toBe('page 200 "ok"')
  })

  test('a drip slower than the minimum rate ends after its grace', async () => {
    await using server = await createRawServer(chunkedHead)
    const { clock, fetcher } = watched({ minBytesPerSecond: 100 })
    await using _ = fetcher
    let isOver = false
    const dripping = get(fetcher, server.url()).finally(() => {
      isOver = true
    })
    await until(() => server.requests.length === 1)
    const [request] = server.requests
    if (request === undefined) throw new Error('no request')
    const pieces = await drip(clock, forEver('1\r\nx\r\n'), 500, request, () => isOver)
    expect(messageOf(await dripping)).toContain('minBytesPerSecond')
    expect(pieces).toBe(20)
  })

  for (const [limit, name, sent, limitMs] of [
    ['firstByteMs', 'a server that takes the request and stays silent', '', 15_000],
    ['idleMs', 'a body that stalls', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhel', 10_000],
    ['idleMs', 'a head that never ends', 'HTTP/1.1 200 OK\r\nX-A: b\r\n', 10_000],
    ['idleMs', 'an interim answer that is never followed by another', 'HTTP/1.1 103 Early Hints\r\n\r\n', 10_000],
    ['idleMs', 'a chunk extension without end', `${chunkedHead}5;${'x'.repeat(100)}`, 10_000],
  ] as const)
    test(`${name} ends at ${limit}`, async () => {
      await using server = await createRawServer(sent)
      const { clock, fetcher } = watched()
      await using _ = fetcher
      const asking = get(fetcher, server.url())
      await until(() => server.requests.length === 1)
      for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve))
      clock.advance(limitMs - 1)
      await new Promise(resolve => setImmediate(resolve))
      expect(server.open).toBe(1)
      clock.advance(1)
      const outcome = await asking
      expect(wordsOf(outcome)).toBe('failed RESPONSE_TIMEOUT')
      expect(messageOf(outcome)).toContain(`timeouts.${limit}`)
      await server.idle()
      expect(clock.pendingTimers).toBe(0)
    })

  test('a TLS handshake that stalls ends at connectMs', async () => {
    await using server = await createRawServer('')
    const { clock, fetcher } = watched()
    await using _ = fetcher
    const asking = get(fetcher, server.url().replace('http:', 'https:'))
    await until(() => server.connections === 1)
    clock.advance(5_000)
    const outcome = await asking
    expect(wordsOf(outcome)).toBe('failed CONNECT_TIMEOUT')
    expect(outcome).toMatchObject({ status: null, timing: null })
    await server.idle()
  })

  test('an answer that was there while our loop was blocked is in time', async () => {
    await using server = await createRawServer(answerOf('ok'))
    const { clock, fetcher } = watched({ connectMs: 2_000, firstByteMs: 2_000 })
    await using _ = fetcher
    const asking = get(fetcher, server.url())
    clock.stall(3_000)
    expect(wordsOf(await asking)).toBe('page 200 "ok"')
  })

  test('waiting for a connection of the host is nobody’s fault: no clock runs', async () => {
    const waiting: RawRequest[] = []
    await using server = await createRawServer(request => {
      waiting.push(request)
      return undefined
    })
    const clock = createHandClock()
    await using fetcher = fetcherWith({
      env: clock.env,
      connections: 1,
      timeouts: { ...timeouts, connectMs: 300, firstByteMs: 300, totalMs: 300 },
    })
    const asking = Array.from({ length: 5 }, () => get(fetcher, server.url()))
    for (let answered = 0; answered < 5; answered += 1) {
      await until(() => waiting.length === 1)
      clock.advance(200)
      waiting.pop()?.socket.write(answerOf('ok'))
    }
    const outcomes = await Promise.all(asking)
    expect(outcomes.map(wordsOf)).toEqual(Array(5).fill('page 200 "ok"'))
    expect(server.connections).toBe(1)
    expect(outcomes.map(outcome => (outcome.kind === 'page' ? outcome.page.timing : null))).toEqual(
      Array(5).fill({ connectMs: 0, firstByteMs: 200, totalMs: 200 }),
    )
  })

  test('the rest of an error page is waited for a moment, then its connection is closed', async () => {
    await using server = await createRawServer('HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nnot')
    const { clock, fetcher } = watched()
    await using _ = fetcher
    const asking = get(fetcher, server.url())
    await until(() => server.requests.length === 1)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve))
    clock.advance(1_000)
    expect(wordsOf(await asking)).toBe('gone 404')
    await server.idle()
  })
})
