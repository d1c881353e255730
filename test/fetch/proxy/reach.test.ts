import { describe, expect, test } from 'vitest'
import type { AddressKind } from '../../../src/fetch/address.ts'
import { answerOf, createRawServer } from '../../servers/raw.ts'
import { wordsOf } from '../kit.ts'
import { fetchOnceBy, routeTo } from './kit.ts'

describe('a URL that a page of the public web named', () => {
  for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '[::1]', 'localhost', 'a.localhost', '2130706433'])
    for (const protocol of ['http', 'socks5h', 'socks5'] as const)
      test(`is refused before a proxy (${protocol}) hears of it, where it names ${host}`, async () => {
        await using server = await createRawServer(answerOf('secret'))
        const route = routeTo({ protocol, port: server.port })
        const outcome = await fetchOnceBy(new URL(`http://${host}/`).href, route, {}, { reach: 'public' })
        expect(wordsOf(outcome)).toBe('failed ADDRESS_REFUSED')
        expect(server.connections).toBe(0)
      })

  test('is refused where socks5 resolves it here, to a private address', async () => {
    await using server = await createRawServer(answerOf('secret'))
    const lookup = async () => [{ address: '10.0.0.1', family: 4 }]
    const route = routeTo({ protocol: 'socks5', port: server.port })
    const outcome = await fetchOnceBy('http://a.test/', route, { addresses: { lookup } }, { reach: 'public' })
    expect(wordsOf(outcome)).toBe('failed ADDRESS_REFUSED')
    expect(server.connections).toBe(0)
  })

  test('goes by its name through a proxy of a private address, and its links are of the public web', async () => {
    await using server = await createRawServer(answerOf('ok'))
    const route = routeTo({ protocol: 'http', port: server.port })
    const outcome = await fetchOnceBy('http://a.test/', route, {}, { reach: 'public' })
    expect(outcome).toMatchObject({ kind: 'page', page: { reach: 'public' } })
  })

  test('may be of one`s own network where that is allowed for its host', async () => {
    await using server = await createRawServer(answerOf('ok'))
    const kindOf = (): AddressKind => 'private'
    const route = routeTo({ protocol: 'http', port: server.port })
    const options = { allowPrivate: () => true, addresses: { kindOf } }
    expect(wordsOf(await fetchOnceBy('http://10.0.0.1/', route, options, { reach: 'public' }))).toBe('page 200 "ok"')
  })
})
