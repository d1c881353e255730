import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert, expiredCert, key } from './certificates.ts'
import { getOnce, messageOf, wordsOf } from './kit.ts'

describe('names', () => {
  for (const host of ['localhost', 'shop.localhost', 'a.b.LOCALHOST', 'localhost.'])
    test(`${host} is this machine, and no resolver is asked`, async () => {
      await using server = await createRawServer(answerOf('ok'))
      expect(wordsOf(await getOnce(server.url('/', host)))).toBe('page 200 "ok"')
    })

  test('a name without an address is DNS_FAILED', async () => {
    const outcome = await getOnce('http://no-such-host.invalid/')
    expect(wordsOf(outcome)).toBe('failed DNS_FAILED')
    expect(messageOf(outcome)).toContain('http://no-such-host.invalid/: ')
  })

  test('an IPv6 address in brackets is an address', async () => {
    const server = createServer(socket => socket.end(answerOf('six')))
    const isListening = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(0, '::1', () => resolve(true))
    })
    if (!isListening) return console.log('skipped: this machine has no IPv6')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(wordsOf(await getOnce(`http://[::1]:${port}/`))).toBe('page 200 "six"')
    expect(wordsOf(await getOnce(`http://localhost:${port}/`))).toBe('page 200 "six"')
    server.close()
  })
})

describe('connections', () => {
  test('a port where nobody listens is CONNECT_FAILED, with each address that was tried', async () => {
    const server = await createRawServer('')
    await server[Symbol.asyncDispose]()
    const outcome = await getOnce(server.url('/', 'localhost'))
    expect(wordsOf(outcome)).toBe('failed CONNECT_FAILED')
    expect(messageOf(outcome)).toContain(`ECONNREFUSED 127.0.0.1:${server.port}`)
    expect(outcome).toMatchObject({ status: null, timing: null })
  })

  test('port 0 is no crash', async () => {
    expect(wordsOf(await getOnce('http://127.0.0.1:0/'))).toBe('failed CONNECT_FAILED')
  })

  test('a server that speaks first is no HTTP server', async () => {
    await using server = await createRawServer({
      answer: '',
      accept: socket => void socket.write('220 mail.test ESMTP\r\n'),
    })
    expect(wordsOf(await getOnce(server.url()))).toMatch(/failed (RESPONSE_INVALID|CONNECT_FAILED)/)
  })
})

describe('TLS', () => {
  test('a private certificate is trusted by option, beside the usual ones', async () => {
    await using server = await createRawServer({ answer: answerOf('safe'), tls: { key, cert } })
    for (const host of ['localhost', '127.0.0.1'])
      expect(wordsOf(await getOnce(server.url('/', host), { tls: { ca: cert } }))).toBe('page 200 "safe"')
  })

  for (const [name, served, host, trusted, reason] of [
    ['nobody signed', cert, 'localhost', false, 'SELF_SIGNED'],
    ['ended', expiredCert, 'localhost', true, 'CERT_HAS_EXPIRED'],
    ['names somebody else', cert, 'other.localhost', true, 'ALTNAME'],
  ] as const)
    test(`a certificate that ${name} is TLS_FAILED with its reason`, async () => {
      await using server = await createRawServer({ answer: answerOf('ok'), tls: { key, cert: served } })
      const outcome = await getOnce(server.url('/', host), trusted ? { tls: { ca: served } } : {})
      expect(wordsOf(outcome)).toBe('failed TLS_FAILED')
      expect(messageOf(outcome)).toContain(reason)
      expect(server.requests.length).toBe(0)
      await server.idle()
    })

  test('plain HTTP where TLS was expected is TLS_FAILED', async () => {
    await using server = await createRawServer({ answer: '', accept: socket => void socket.end(answerOf('plain')) })
    expect(wordsOf(await getOnce(server.url().replace('http:', 'https:')))).toBe('failed TLS_FAILED')
  })

  test('a connection dropped in the handshake is CONNECT_FAILED: it may work later', async () => {
    await using server = await createRawServer({ answer: '', accept: socket => void socket.destroy() })
    expect(wordsOf(await getOnce(server.url().replace('http:', 'https:')))).toBe('failed CONNECT_FAILED')
  })
})
