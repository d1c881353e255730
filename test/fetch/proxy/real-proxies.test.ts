import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedProxies, type RealProxy, startProxyChain } from '../../servers/proxies.ts'
import { answerOf, createRawServer, type RawServer } from '../../servers/raw.ts'
import { cert, key } from '../certificates.ts'
import { fetcherWith, messageOf, wordsOf } from '../kit.ts'
import { credentials, faultWords, fetchBy, fetchOnceBy, policies, routeTo } from './kit.ts'

let plain: RawServer
let secure: RawServer

beforeAll(async () => {
  plain = await createRawServer(({ path }) => answerOf(`plain ${path}`))
  secure = await createRawServer({ answer: ({ path }) => answerOf(`secure ${path}`), tls: { key, cert } })
})
afterAll(async () => {
  await plain[Symbol.asyncDispose]()
  await secure[Symbol.asyncDispose]()
})

const proxies: readonly { readonly name: string; readonly start: (() => Promise<RealProxy>) | null }[] = [
  { name: 'proxy-chain', start: () => startProxyChain('http', null) },
  { name: 'proxy-chain with a password', start: () => startProxyChain('http', credentials) },
  { name: 'proxy-chain over TLS', start: () => startProxyChain('https', credentials) },
  ...installedProxies,
]

for (const { name, start } of proxies) {
  if (start === null) {
    console.log(`skipped: ${name} is not installed`)
    continue
  }
  describe(`through ${name}`, () => {
    let proxy: RealProxy
    beforeAll(async () => {
      proxy = await start()
    })
    afterAll(() => proxy[Symbol.asyncDispose]())

    for (const connection of policies)
      test(`pages of http and https come home, connections ${connection}`, async () => {
        await using fetcher = fetcherWith({ tls: { ca: cert } })
        const route = routeTo(proxy, { connection, sessionKey: 'one' })
        const [hosts, tunnels] = [plain.connections, secure.connections]
        for (let round = 0; round < 3; round += 1) {
          expect(wordsOf(await fetchBy(fetcher, plain.url(`/${round}?q=1`), route))).toBe(
            `page 200 "plain /${round}?q=1"`,
          )
          expect(wordsOf(await fetchBy(fetcher, secure.url(`/${round}`, 'localhost'), route))).toBe(
            `page 200 "secure /${round}"`,
          )
        }
        const made = connection === 'fresh' ? 3 : 1
        expect(secure.connections - tunnels).toBe(made)
        // A proxy that reads HTTP has its own mind about connections to hosts.
        if (route.proxy.protocol === 'socks5h') expect(plain.connections - hosts).toBe(made)
        if (connection === 'fresh') expect(fetcher.stats).toMatchObject({ origins: 0, idle: 0 })
      })

    test('a host that it cannot reach is told by its answer, and is its fault', async () => {
      for (const scheme of ['http', 'https']) {
        const outcome = await fetchOnceBy(`${scheme}://127.0.0.1:1/`, routeTo(proxy))
        const hangsUp = scheme === 'https' && name.startsWith('proxy-chain')
        expect(faultWords(outcome), messageOf(outcome)).toMatch(hangsUp ? /^connect null/ : /^refused /)
        expect(messageOf(outcome)).toContain(
          `${scheme}://127.0.0.1:1/: gate.test:8000: ${hangsUp ? 'hung up' : 'answered '}`,
        )
      }
    })

    test('wrong credentials are denied', async () => {
      if (proxy.credentials === null) return
      const wrong = routeTo({ ...proxy, credentials: { user: 'someone', password: 'wrong' } })
      for (const url of [plain.url(), secure.url('/', 'localhost')])
        expect(faultWords(await fetchOnceBy(url, wrong))).toMatch(
          proxy.protocol === 'socks5h' ? 'denied null' : /^denied 40[17]$/,
        )
    })
  })
}

describe('connections, as the proxy counts them', () => {
  test('are one a request where they are fresh, whatever is asked for', async () => {
    await using proxy = await startProxyChain('http', credentials)
    await using fetcher = fetcherWith({ tls: { ca: cert } })
    const route = routeTo(proxy)
    await Promise.all(
      Array.from({ length: 40 }, (_, nth) =>
        fetchBy(fetcher, nth % 2 === 0 ? plain.url() : secure.url('/', 'localhost'), route),
      ),
    )
    expect(proxy.connections).toBe(40)
    expect(proxy.users).toEqual(Array.from({ length: 40 }, () => credentials.user))
  })

  test('are one a session where they are sticky, and never shared between users', async () => {
    await using proxy = await startProxyChain('http', credentials)
    await using fetcher = fetcherWith({ tls: { ca: cert } })
    const ask = async (sessionKey: string, user: string): Promise<void> => {
      const login = { ...credentials, user }
      const route = routeTo({ ...proxy, credentials: login }, { connection: 'sticky', sessionKey })
      for (let round = 0; round < 3; round += 1) await fetchBy(fetcher, secure.url('/', 'localhost'), route)
    }
    for (const name of ['a#1', 'b#1', 'a#2']) await ask(name, 'user')
    expect(proxy.connections).toBe(3)
    await ask('a#1', 'user')
    expect(proxy.connections).toBe(3)
    await ask('a#1', 'other')
    expect(proxy.connections).toBe(4)
    expect(proxy.users).toEqual(['user', 'user', 'user', 'other'])
  })

  test('are one for all where they are pooled, by proxy and password', async () => {
    await using proxy = await startProxyChain('http', null)
    await using fetcher = fetcherWith({ tls: { ca: cert } })
    for (const sessionKey of ['a', 'b', null])
      await fetchBy(fetcher, secure.url('/', 'localhost'), routeTo(proxy, { connection: 'pooled', sessionKey }))
    expect(proxy.connections).toBe(1)
    const login = { user: 'user', password: 'x' }
    await fetchBy(
      fetcher,
      secure.url('/', 'localhost'),
      routeTo({ ...proxy, credentials: login }, { connection: 'pooled' }),
    )
    expect(proxy.connections).toBe(2)
  })

  test('close with the fetcher, down to the host', async () => {
    await using proxy = await startProxyChain('https', null)
    await using server = await createRawServer({ answer: answerOf('ok'), tls: { key, cert } })
    {
      await using fetcher = fetcherWith({ tls: { ca: cert } })
      await fetchBy(fetcher, server.url('/', 'localhost'), routeTo(proxy, { connection: 'pooled' }))
      expect(server.open).toBe(1)
    }
    await server.idle()
  })
})
