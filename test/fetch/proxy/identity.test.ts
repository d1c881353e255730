import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { createCookies } from '../../../src/cookies/create-cookies.ts'
import { realClock } from '../../../src/core/clock.ts'
import type { Route } from '../../../src/core/route.ts'
import { startProxyChain } from '../../servers/proxies.ts'
import { answerOf, createRawServer } from '../../servers/raw.ts'
import { cert, key } from '../certificates.ts'
import { fetcherWith } from '../kit.ts'
import { credentials, faultWords, fetchBy, routeTo } from './kit.ts'

test('each identity has a cookie jar of its own, whatever the session of its task', async () => {
  await using proxy = await createRawServer(({ connection }) => answerOf('ok', [`Set-Cookie: id=${connection}`]))
  await using fetcher = fetcherWith({ cookies: createCookies({ clock: realClock, withoutSession: false }) })
  for (const sessionKey of ['work#1', 'work#2', 'work#1'])
    await fetchBy(
      fetcher,
      'http://a.test/',
      routeTo({ protocol: 'http', port: proxy.port }, { connection: 'fresh', sessionKey }),
      { session: 'work' },
    )
  const cookies = proxy.requests.map(({ head }) => /^cookie: (.*)$/im.exec(head)?.[1] ?? null)
  expect(cookies).toEqual([null, null, 'id=0'])
})

test('the cookies of a proxy`s own page are not those of the host', async () => {
  await using proxy = await createRawServer(answerOf('no', ['Set-Cookie: id=proxy'], '407 No'))
  const cookies = createCookies({ clock: realClock, withoutSession: true })
  await using fetcher = fetcherWith({ cookies })
  const outcome = await fetchBy(fetcher, 'http://a.test/', routeTo({ protocol: 'http', port: proxy.port }))
  expect(faultWords(outcome)).toBe('denied 407')
  expect(cookies.size).toBe(0)
})

test('whoever comes anew each time is not known again by a session of TLS; an identity is, by its own', async () => {
  const reused: boolean[] = []
  await using host = await createRawServer({
    answer: answerOf('ok', ['Connection: close']),
    close: true,
    tls: { key, cert },
    accept: socket => void reused.push((socket as TLSSocket).isSessionReused()),
  })
  await using proxy = await startProxyChain('http', null)
  await using fetcher = fetcherWith({ tls: { ca: cert } })
  const ask = async (over: Partial<Route>): Promise<void> => {
    await fetchBy(fetcher, host.url('/', 'localhost'), routeTo(proxy, over))
    await host.idle()
  }
  for (const over of [
    { connection: 'fresh' },
    { connection: 'fresh' },
    { connection: 'sticky', sessionKey: 'a' },
    { connection: 'sticky', sessionKey: 'a' },
    { connection: 'sticky', sessionKey: 'b' },
  ] as const)
    await ask(over)
  expect(reused).toEqual([false, false, false, true, false])
})

test('credentials reach their own proxy alone: no host, and no other proxy', async () => {
  await using plain = await createRawServer(answerOf('ok'))
  await using secure = await createRawServer({ answer: answerOf('ok'), tls: { key, cert } })
  await using first = await startProxyChain('http', credentials)
  await using second = await createRawServer(answerOf('ok'))
  await using fetcher = fetcherWith({ tls: { ca: cert } })
  for (const url of [plain.url(), secure.url('/', 'localhost')]) await fetchBy(fetcher, url, routeTo(first))
  await fetchBy(fetcher, plain.url(), routeTo({ protocol: 'http', port: second.port }))
  const heads = [plain, secure, second].flatMap(({ requests }) => requests.map(({ head }) => head))
  expect(heads.length).toBe(3)
  for (const head of heads) expect(head).not.toMatch(/proxy-authorization/i)
})
