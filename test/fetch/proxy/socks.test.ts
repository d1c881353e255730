import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { ProxyAddress } from '../../../src/core/route.ts'
import { answerOf } from '../../servers/raw.ts'
import { messageOf, timeouts, wordsOf } from '../kit.ts'
import { faultWords, fetchOnceBy, routeTo } from './kit.ts'

interface FakeSocks extends AsyncDisposable {
  readonly port: number
  /** What came, message by message, in hex. */
  readonly heard: readonly string[]
}

/** Answers each message with the next of these, and hangs up at the end of them where that is asked for. */
async function fakeSocks(answers: readonly (string | ((socket: Socket) => void))[]): Promise<FakeSocks> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const left = [...answers]
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', chunk => {
      heard.push(chunk.toString('hex'))
      const answer = left.shift()
      if (typeof answer === 'function') answer(socket)
      else if (answer !== undefined) socket.write(Buffer.from(answer, 'hex'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const ok = '05000001000000000000'
const quick = { ...timeouts, connectMs: 150 }
const serve = (socket: Socket): void => void socket.write(answerOf('ok'), 'latin1')
const login = { user: 'me', password: 'pw' }

async function ask(
  answers: Parameters<typeof fakeSocks>[0],
  url = 'http://a.test/',
  protocol: 'socks5' | 'socks5h' = 'socks5h',
  credentials: ProxyAddress['credentials'] = null,
) {
  await using proxy = await fakeSocks(answers)
  const lookup = async () => [
    { address: '2001:db8::7', family: 6 },
    { address: '93.184.215.14', family: 4 },
  ]
  const outcome = await fetchOnceBy(url, routeTo({ protocol, port: proxy.port, credentials }), {
    timeouts: quick,
    addresses: { lookup: protocol === 'socks5h' ? () => Promise.reject(new Error('asked for a name')) : lookup },
  })
  return { outcome, heard: proxy.heard }
}

const hex = (text: string): string => Buffer.from(text).toString('hex')

describe('SOCKS', () => {
  for (const [name, url, protocol, request] of [
    ['a name is left to the proxy', 'http://a.test/', 'socks5h', `0501000306${hex('a.test')}0050`],
    ['an address is sent as one', 'http://93.184.215.14:81/', 'socks5h', '050100015db8d70e0051'],
    ['an address of IPv6 too', 'http://[2001:db8::8]/', 'socks5h', '0501000420010db80000000000000000000000080050'],
    ['socks5 resolves here, to IPv4 where there is one', 'http://a.test/', 'socks5', '050100015db8d70e0050'],
  ] as const)
    test(name, async () => {
      const { outcome, heard } = await ask(['0500', ok, serve], url, protocol)
      expect(wordsOf(outcome)).toBe('page 200 "ok"')
      expect(heard.slice(0, 2)).toEqual(['050100', request])
    })

  test('credentials are said where there are any, and nothing else is offered', async () => {
    const { outcome, heard } = await ask(['0502', '0100', ok, serve], undefined, undefined, login)
    expect(wordsOf(outcome)).toBe('page 200 "ok"')
    expect(heard.slice(0, 2)).toEqual(['050102', `0102${hex('me')}02${hex('pw')}`])
  })

  test('an answer may come in pieces, and name its end in any kind of address', async () => {
    for (const bound of ['0103000000000050', `0305${hex('a.b.c')}0050`, `04${'00'.repeat(16)}0050`].map(
      (rest, nth) => `050000${nth === 0 ? '01000000000050' : rest}`,
    )) {
      const piecemeal = (socket: Socket): void => {
        socket.write(Buffer.from(bound.slice(0, 8), 'hex'))
        setTimeout(() => socket.write(Buffer.from(bound.slice(8), 'hex')), 10)
      }
      expect(wordsOf((await ask(['0500', piecemeal, serve])).outcome)).toBe('page 200 "ok"')
    }
  })

  for (const [name, answers, credentials, words, says] of [
    ['hangs up', [(socket: Socket) => void socket.end()], null, 'connect null', 'hung up while it was asked'],
    ['stays silent', [], null, 'timeout null', 'silent until timeouts.connectMs'],
    ['falls silent later', ['0500'], null, 'timeout null', 'silent until timeouts.connectMs'],
    ['speaks something else', [hex('HTTP/1.1 400 Bad')], null, 'connect null', 'no SOCKS 5'],
    ['speaks something else later', ['0500', hex('HTTP/1.1 400 Bad')], null, 'connect null', 'no SOCKS 5'],
    ['wants credentials', ['05ff'], null, 'denied null', 'wants a user name and a password'],
    ['refuses ours', ['0502', '0101'], login, 'denied null', 'refused the user name or the password'],
    ['takes none', ['0500'], login, 'denied null', 'takes no user name'],
    ['has rules against it', ['0500', '05020001000000000000'], null, 'refused null', 'code 2 of SOCKS: not allowed'],
    ['is refused there', ['0500', '05050001000000000000'], null, 'refused null', 'connection refused'],
    ['answers for the host', ['0500', `${ok}${hex('HTTP/1.1')}`], null, 'refused null', 'bytes of its own'],
  ] as const)
    test(`a proxy that ${name} has failed: ${words}`, async () => {
      const { outcome } = await ask(answers, undefined, undefined, credentials)
      expect(faultWords(outcome), messageOf(outcome)).toBe(words)
      expect(messageOf(outcome)).toContain(says)
    })

  test('has no room for a longer password than 255 bytes', async () => {
    const { outcome } = await ask(['0502'], undefined, undefined, { user: 'me', password: 'x'.repeat(256) })
    expect(faultWords(outcome)).toBe('denied null')
    expect(messageOf(outcome)).not.toContain('xxx')
  })

  test('what socks5 cannot resolve is the fault of no proxy', async () => {
    await using proxy = await fakeSocks([])
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    const route = routeTo({ protocol: 'socks5', port: proxy.port })
    expect(wordsOf(await fetchOnceBy('http://a.test/', route, { addresses: { lookup } }))).toBe('failed DNS_FAILED')
    expect(proxy.heard).toEqual([])
  })

  test('the time that a proxy takes is told apart from that of the host', async () => {
    const slow = (socket: Socket): void => void setTimeout(() => socket.write(Buffer.from(ok, 'hex')), 800)
    await using proxy = await fakeSocks(['0500', slow, serve])
    const outcome = await fetchOnceBy('http://a.test/', routeTo({ protocol: 'socks5h', port: proxy.port }))
    const timing = outcome.kind === 'page' ? outcome.page.timing : null
    expect(timing?.connectMs).toBeGreaterThan(790)
    expect(timing?.firstByteMs).toBeLessThan(400)
  })
})
