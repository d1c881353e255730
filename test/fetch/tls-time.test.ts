import { expect, test } from 'vitest'
import { timingOf } from '../../src/core/outcome.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert, key } from './certificates.ts'
import { fetcherWith, get } from './kit.ts'

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
