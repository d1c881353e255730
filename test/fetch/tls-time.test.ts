import { expect, test } from 'vitest'
import { timingOf } from '../../src/core/outcome.ts'
import { startProxyChain } from '../servers/proxies.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert, key } from './certificates.ts'
import { fetcherWith, get } from './kit.ts'
import { fetchOnceBy, routeTo } from './proxy/kit.ts'

test('the handshake is told as a part of connecting, once for each connection', async () => {
  await using server = await createRawServer({ answer: answerOf('safe'), tls: { key, cert } })
  await using fetcher = fetcherWith({ tls: { ca: cert } })
  const first = timingOf(await get(fetcher, server.url('/', 'localhost')))
  const again = timingOf(await get(fetcher, server.url('/', 'localhost')))
  expect(first?.tlsMs).toBeGreaterThan(0)
  expect(first?.tlsMs).toBeLessThanOrEqual(first?.connectMs ?? 0)
  expect(again).toMatchObject({ connectMs: 0 })
  expect(again?.tlsMs).toBeUndefined()
})

test('a connection without TLS has none', async () => {
  await using server = await createRawServer({ answer: answerOf('plain') })
  await using fetcher = fetcherWith({})
  const timing = timingOf(await get(fetcher, server.url('/')))
  expect(timing?.connectMs).toBeGreaterThan(0)
  expect(timing?.tlsMs).toBeUndefined()
})

test.each(['http', 'https'] as const)(
  'a handshake through a proxy over %s is told as one, and what the proxy takes to connect as connecting',
  async protocol => {
    await using server = await createRawServer({ answer: answerOf('safe'), tls: { key, cert } })
    await using proxy = await startProxyChain(protocol, null)
    const timing = timingOf(await fetchOnceBy(server.url('/', 'localhost'), routeTo(proxy)))
    expect(timing?.tlsMs).toBeGreaterThan(0)
    expect(timing?.tlsMs).toBeLessThan(timing?.connectMs ?? 0)
  },
)

test('a proxy that is spoken to over TLS has a handshake where the host has none', async () => {
  await using server = await createRawServer({ answer: answerOf('plain') })
  for (const [protocol, tlsMs] of [
    ['http', undefined],
    ['https', expect.any(Number)],
  ] as const) {
    await using proxy = await startProxyChain(protocol, null)
    const timing = timingOf(await fetchOnceBy(server.url(), routeTo(proxy)))
    expect(timing?.tlsMs).toEqual(tlsMs)
  }
})
