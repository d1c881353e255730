import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/core/outcome.ts'
import type { Reach } from '../../src/core/task.ts'
import type { AddressKind } from '../../src/fetch/address.ts'
import type { DirectFetcher, FetcherOptions } from '../../src/fetch/create-fetcher.ts'
import { type CrawlResult, crawl, type JobInput } from '../../src/index.ts'
import { answerOf, createRawServer, type RawAnswer, type RawServer } from '../servers/raw.ts'
import { createHandClock, fetcherWith, messageOf, never, taskFor, wordsOf } from './kit.ts'

/** Two addresses of this machine play the open internet and the network behind us. */
const outside = '127.0.0.2'
const inside = '127.0.0.1'
const kindOf = (address: string): AddressKind => (address === outside ? 'public' : 'private')

const serve = (answer: RawAnswer): Promise<RawServer> => createRawServer({ listenOn: '0.0.0.0', answer })

/** Where each connection arrived. */
const arrivals = (server: RawServer): string[] => server.requests.map(({ to }) => to)

function namesOf(names: Readonly<Record<string, readonly string[] | (() => readonly string[])>>) {
  const asked: string[] = []
  const lookup = async (host: string): Promise<readonly LookupAddress[]> => {
    asked.push(host)
    const found = names[host]
    const addresses = typeof found === 'function' ? found() : found
    if (addresses === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    return addresses.map(address => ({ address, family: 4 }))
  }
  return { lookup, asked }
}

const ask = (fetcher: DirectFetcher, url: string, reach: Reach): Promise<Outcome> =>
  fetcher.fetch({ task: { ...taskFor(url), reach }, route: null, grow: () => {} }, never)

async function askOnce(url: string, reach: Reach, options: Partial<FetcherOptions> = {}): Promise<Outcome> {
  await using fetcher = fetcherWith(options)
  return await ask(fetcher, url, reach)
}

describe.skipIf(process.platform !== 'linux')('a URL that a page of the public web named', () => {
  for (const [name, addresses, words, arrived] of [
    ['a private address', [inside], 'failed ADDRESS_REFUSED', []],
    ['only private ones', [inside, '127.0.0.3'], 'failed ADDRESS_REFUSED', []],
    ['a public one and a private one', [outside, inside], 'page 200 "ok"', [outside]],
    ['a private one and a public one', [inside, outside], 'page 200 "ok"', [outside]],
    ['no address', [], 'failed DNS_FAILED', []],
  ] as const)
    test(`whose name has ${name} ends as: ${words}`, async () => {
      await using server = await serve(() => answerOf('ok'))
      const { lookup } = namesOf({ 'a.test': addresses })
      const outcome = await askOnce(server.url('/', 'a.test'), 'public', { addresses: { lookup, kindOf } })
      expect(wordsOf(outcome)).toBe(words)
      expect(arrivals(server)).toEqual(arrived)
    })

  test('is refused with its address and the way to allow it', async () => {
    const outcome = await askOnce('http://127.0.0.1:9/', 'public')
    expect(messageOf(outcome)).toBe(
      'http://127.0.0.1:9/: found on the public web, it leads to 127.0.0.1, which is not public; where it is meant, give hosts["127.0.0.1:9"].allowPrivate',
    )
  })

  for (const host of [
    '127.0.0.1',
    'localhost',
    'shop.localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0x7f.1',
    '017700000001',
    '2130706433',
    '0.0.0.0',
    '[::]',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
  ])
    test(`is never asked at ${host}`, async () => {
      await using server = await createRawServer({ listenOn: '::', answer: answerOf('secret') }).catch(() =>
        createRawServer(answerOf('secret')),
      )
      const url = new URL(server.url('/', host)).href
      expect(wordsOf(await askOnce(url, 'public'))).toBe('failed ADDRESS_REFUSED')
      expect(server.connections).toBe(0)
    })

  test('is judged anew for each connection, by the very answer that is connected to', async () => {
    const answers = [[outside], [inside], [outside]]
    const { lookup, asked } = namesOf({ 'a.test': () => answers[asked.length - 1] ?? [inside] })
    await using server = await serve(() => answerOf('ok', ['Connection: close']))
    const hand = createHandClock()
    await using fetcher = fetcherWith({ env: hand.env, addresses: { lookup, kindOf } })
    const words: string[] = []
    for (let round = 0; round < 4; round += 1) {
      words.push(wordsOf(await ask(fetcher, server.url('/', 'a.test'), 'public')))
      hand.advance(61_000)
    }
    expect(words).toEqual(['page 200 "ok"', 'failed ADDRESS_REFUSED', 'page 200 "ok"', 'failed ADDRESS_REFUSED'])
    expect(arrivals(server)).toEqual([outside, outside])
    expect(asked.length).toBe(4)
  })

  test('is not asked on a connection to a private address that a seed left open', async () => {
    await using server = await serve(() => answerOf('ok'))
    await using fetcher = fetcherWith({ addresses: { kindOf } })
    expect(wordsOf(await ask(fetcher, server.url(), 'any'))).toBe('page 200 "ok"')
    expect(wordsOf(await ask(fetcher, server.url(), 'public'))).toBe('failed ADDRESS_REFUSED')
    expect(wordsOf(await ask(fetcher, server.url(), 'any'))).toBe('page 200 "ok"')
    expect(server).toMatchObject({ connections: 1, requests: { length: 2 } })
  })

  test('may lead to a host that the job allows, and no further from there', async () => {
    await using server = await createRawServer(answerOf('ok'))
    const allowPrivate = (host: string): boolean => host === `127.0.0.1:${server.port}`
    const outcome = await askOnce(server.url(), 'public', { allowPrivate })
    expect(outcome).toMatchObject({ kind: 'page', page: { reach: 'public' } })
    expect(wordsOf(await askOnce(server.url('/', 'localhost'), 'public', { allowPrivate }))).toBe(
      'failed ADDRESS_REFUSED',
    )
  })

  test('teaches the limiter of its host nothing when it is refused', async () => {
    const outcome = await askOnce('http://127.0.0.1:9/', 'public')
    expect(outcome).toMatchObject({ kind: 'failed', timing: null, status: null })
  })
})

describe.skipIf(process.platform !== 'linux')('what an answer names', () => {
  for (const [from, kind, reach, expected] of [
    [inside, 'our own network', 'any', 'any'],
    [outside, 'the public web', 'any', 'public'],
    [outside, 'the public web', 'public', 'public'],
  ] as const)
    test(`from ${kind}, to one that may reach ${reach}, may reach ${expected}`, async () => {
      await using server = await serve(({ path }) =>
        path === '/' ? answerOf('ok') : 'HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n',
      )
      await using fetcher = fetcherWith({ addresses: { kindOf } })
      expect(await ask(fetcher, server.url('/', from), reach)).toMatchObject({ page: { reach: expected } })
      expect(await ask(fetcher, server.url('/r', from), reach)).toMatchObject({ kind: 'moved', reach: expected })
    })
})

describe.skipIf(process.platform !== 'linux')('a crawl', () => {
  async function crawled(seeds: readonly string[], site: (path: string, port: number) => string | undefined) {
    const notFound = answerOf('', [], '404 Not Found')
    await using server: RawServer = await serve(({ path }) => site(path, server.port) ?? notFound)
    const { lookup } = namesOf({ 'site.test': [outside], 'trap.test': [inside], 'odd.test': [outside] })
    await using fetcher = fetcherWith({ addresses: { lookup, kindOf } })
    const job: JobInput = {
      seeds: seeds.map(seed => seed.replace('PORT', String(server.port))),
      scope: 'any',
      item: { title: 'h1' },
      follow: 'a',
      limits: { perHost: { policy: 'fixed', max: 4 }, delayMs: 0 },
    }
    const results: CrawlResult[] = []
    for await (const result of crawl(job, { fetcher, threads: 0 })) results.push(result)
    const codes = results.map(result => (result.kind === 'dead' ? result.code : result.kind)).sort()
    return { codes, arrived: server.requests.map(({ to, path }) => `${to}${path}`) }
  }

  const html = (body: string): string => answerOf(body, ['Content-Type: text/html'])
  const redirect = (location: string): string =>
    `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`

  test('of the public web never asks our own network: no link, base, redirect or robots file leads there', async () => {
    const { codes, arrived } = await crawled(['http://site.test:PORT/'], (path, port) => {
      const trap = `http://trap.test:${port}/`
      const links = [`1`, `http://127.0.0.1:${port}/2`, `http://site.test:${port}/r`, `http://odd.test:${port}/4`]
      if (path === '/') return html(`<base href="${trap}">${links.map(link => `<a href="${link}">x</a>`).join('')}`)
      if (path === '/r') return redirect(`http://127.0.0.1:${port}/5`)
      // Whoever is asked for its robots file sends us inside.
      return path === '/robots.txt' ? redirect(`${trap}robots.txt`) : undefined
    })
    expect(arrived.filter(where => where.startsWith(inside))).toEqual([])
    expect(codes).toEqual(['ADDRESS_REFUSED'])
  })

  test('of the public web whose robots file is sound refuses each way inside by itself', async () => {
    const { codes, arrived } = await crawled(['http://site.test:PORT/'], (path, port) => {
      const trap = `http://trap.test:${port}/`
      const links = [`1`, `http://127.0.0.1:${port}/2`, `http://site.test:${port}/r`, `http://site.test:${port}/3`]
      if (path === '/') return html(`<base href="${trap}">${links.map(link => `<a href="${link}">x</a>`).join('')}`)
      if (path === '/r') return redirect(`http://127.0.0.1:${port}/5`)
      return path === '/3' ? html('<h1>three</h1>') : undefined
    })
    expect(arrived.filter(where => where.startsWith(inside))).toEqual([])
    expect(codes).toEqual(['ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'page', 'page'])
  })

  test('of our own network goes on in it', async () => {
    const { codes, arrived } = await crawled(['http://127.0.0.1:PORT/'], (path, port) => {
      if (path === '/') return html(`<a href="/2">2</a><a href="http://trap.test:${port}/3">3</a>`)
      return path === '/2' || path === '/3' ? html('<h1>here</h1>') : undefined
    })
    expect(codes).toEqual(['page', 'page', 'page'])
    expect(arrived.filter(where => where.startsWith(inside)).length).toBe(arrived.length)
  })
})
