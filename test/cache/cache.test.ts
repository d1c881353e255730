import { describe, expect, test } from 'vitest'
import type { Wanted } from '../../src/cache/cache.ts'
import { answer, cacheIn, learn, noon, recall, temporaryFolder, textOf, used, usual, wallAt, wanted } from './kit.ts'

const page = wanted('https://a.test/page')
const lasting = { 'cache-control': 'max-age=60', etag: '"1"', 'last-modified': 'Sat, 28 Feb 2026 10:00:00 GMT' }

describe('revalidate', () => {
  test('uses a fresh answer unasked, and asks about it when it is stale', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    await using cache = await cacheIn(folder.path, wall)
    await learn(cache, page, answer('one', lasting))
    expect(await used(cache, page)).toBe('one')
    wall.nowMs += 60_000
    expect(await used(cache, page)).toBeNull()
    const { conditions } = await cache.ask(page)
    expect(conditions).toEqual(['If-None-Match', '"1"', 'If-Modified-Since', 'Sat, 28 Feb 2026 10:00:00 GMT'])
  })

  test('a 304 gives the stored page with its headers updated, and makes it fresh again', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    await using cache = await cacheIn(folder.path, wall)
    const type = { 'content-type': 'text/html', 'content-encoding': 'gzip', 'x-old': 'stays' }
    await learn(cache, page, answer('one', { ...lasting, ...type }))
    wall.nowMs += 600_000
    const asking = await cache.ask(page)
    const news = {
      etag: '"1"',
      'cache-control': 'max-age=5',
      'x-new': 'comes',
      'content-length': '0',
      'content-type': 'text/plain',
    }
    const recalled = asking.learn(answer('', news, 304))
    expect(textOf(recalled)).toBe('one')
    expect(recalled?.status).toBe(200)
    expect(recalled?.headers).toEqual({
      ...lasting,
      ...type,
      etag: '"1"',
      'cache-control': 'max-age=5',
      'x-new': 'comes',
    })
    expect(recalled?.cameAt).toBe(new Date(wall.nowMs).toISOString())
    expect(await used(cache, page)).toBe('one')
    expect(cache.counts).toEqual({ hits: 1, revalidated: 1, stored: 1 })
  })

  test('another page takes the place of the stored one', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    await using cache = await cacheIn(folder.path, wall)
    await learn(cache, page, answer('one', lasting))
    wall.nowMs += 60_000
    expect((await cache.ask(page)).learn(answer('two', { ...lasting, etag: '"2"' }))).toBeNull()
    expect(await used(cache, page)).toBe('two')
    expect((await cache.ask(page)).conditions.slice(0, 2)).toEqual(['If-None-Match', '"2"'])
  })

  test('a 304 that nobody asked for is not believed', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt())
    expect((await cache.ask(page)).learn(answer('', {}, 304))).toBeNull()
    expect(cache.counts.stored).toBe(0)
  })

  const refused: readonly (readonly [string, Readonly<Record<string, string>>, number?])[] = [
    ['no-store', { ...lasting, 'cache-control': 'no-store, max-age=60' }],
    ['a Vary of thousands of names', { ...lasting, vary: Array.from({ length: 5_000 }, (_, nth) => `h${nth}`).join() }],
    ['Vary: *', { ...lasting, vary: 'Accept, *' }],
    ['neither a lifetime nor a validator', { 'content-type': 'text/html' }],
    ['a status of trouble', lasting, 500],
    ['a status that another identity may be spared', lasting, 403],
    ['a part of a page', lasting, 206],
  ]
  for (const [name, headers, status = 200] of refused)
    test(`does not store an answer with ${name}`, async () => {
      await using folder = await temporaryFolder()
      await using cache = await cacheIn(folder.path, wallAt())
      await learn(cache, page, answer('one', headers, status))
      expect(cache.counts.stored).toBe(0)
      expect((await cache.ask(page)).conditions).toEqual([])
    })

  test('stores a redirect of the moment only where its host says for how long', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt())
    await learn(cache, page, answer('', { location: '/b', etag: '"1"' }, 302))
    expect(cache.counts.stored).toBe(0)
    await learn(cache, page, answer('', { location: '/b', 'cache-control': 'max-age=60' }, 302))
    expect((await recall(cache, page))?.headers.location).toBe('/b')
  })

  test('does not use what only another mode may store', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    {
      await using cache = await cacheIn(folder.path, wall, { mode: 'reuse' })
      await learn(cache, page, answer('one', { 'cache-control': 'no-store', etag: '"1"' }))
    }
    await using cache = await cacheIn(folder.path, wall)
    expect(cache.holds(page)).toBe(false)
    expect((await cache.ask(page)).conditions).toEqual([])
  })

  test('a header of the job that rules caches, or asks a condition of its own, is obeyed by staying away', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt())
    await learn(cache, page, answer('one', lasting))
    for (const header of ['Cache-Control', 'If-None-Match', 'Range', 'pragma']) {
      const ruled = { ...page, headers: [...usual, header, 'no-cache'] }
      expect(cache.holds(ruled)).toBe(false)
      expect((await cache.ask(ruled)).conditions).toEqual([])
    }
  })
})

describe('reuse', () => {
  test('uses what was fetched once, forbidden or not, whatever its age, in another run', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    {
      await using cache = await cacheIn(folder.path, wall, { mode: 'reuse' })
      await learn(cache, page, answer('one', { 'cache-control': 'no-store' }))
    }
    wall.nowMs += 1e12
    await using cache = await cacheIn(folder.path, wall, { mode: 'reuse' })
    expect(await used(cache, page)).toBe('one')
    expect((await recall(cache, page))?.cameAt).toBe(new Date(noon).toISOString())
  })

  test('asks about what is older than was allowed', async () => {
    await using folder = await temporaryFolder()
    const wall = wallAt()
    await using cache = await cacheIn(folder.path, wall, { mode: 'reuse', maxAgeMs: 3_600_000 })
    await learn(cache, page, answer('one', { etag: '"1"' }))
    wall.nowMs += 3_599_000
    expect(await used(cache, page)).toBe('one')
    wall.nowMs += 1_000
    expect(await used(cache, page)).toBeNull()
    expect((await cache.ask(page)).conditions).toEqual(['If-None-Match', '"1"'])
  })

  for (const [status, kept] of [
    [200, 1],
    [301, 1],
    [302, 1],
    [404, 1],
    [410, 1],
    [403, 0],
    [429, 0],
    [500, 0],
    [503, 0],
  ] as const)
    test(`${kept === 1 ? 'keeps' : 'does not keep'} a ${status}`, async () => {
      await using folder = await temporaryFolder()
      await using cache = await cacheIn(folder.path, wallAt(), { mode: 'reuse' })
      await learn(cache, page, answer('', {}, status))
      expect(cache.counts.stored).toBe(kept)
    })

  test('gives the cookies back that came with a page, where a jar wants them', async () => {
    await using folder = await temporaryFolder()
    const options = { mode: 'reuse', keepsCookies: ({ session }: Wanted['task']) => session !== null } as const
    await using cache = await cacheIn(folder.path, wallAt(), options)
    const withJar = wanted('https://a.test/', usual, { session: 'ann' })
    const said = { ...answer('one', { 'set-cookie': 'a=1' }), setCookies: ['a=1'] }
    await learn(cache, withJar, said)
    await learn(cache, page, said)
    expect((await recall(cache, withJar))?.setCookies).toEqual(['a=1'])
    const without = await recall(cache, page)
    expect(without?.setCookies).toEqual([])
    expect(without?.headers).toEqual({})
  })
})

describe('answers are told apart', () => {
  const german = ['User-Agent', 'test/1.0', 'Accept-Language', 'de', 'Accept-Encoding', 'gzip']
  const cases: readonly (readonly [string, Wanted, boolean])[] = [
    ['by the URL', wanted('https://a.test/page?x'), false],
    ['by the session', wanted('https://a.test/page', usual, { session: 'ann' }), false],
    ['by where in the world it is asked from', wanted('https://a.test/page', usual, { geo: 'us' }), false],
    ['by who is asked for', { ...page, headers: [...usual, 'Authorization', 'Basic eA=='] }, false],
    ['by a key of the job', { ...page, headers: [...usual, 'X-Api-Key', 'secret'] }, false],
    ['by what its Vary names', { ...page, headers: german }, false],
    ['not by what its Vary does not name', { ...page, headers: [...usual, 'Accept-Charset', 'utf-8'] }, true],
    ['by cookies, whether Vary names them or not', { ...page, headers: [...usual, 'Cookie', 'a=1'] }, false],
    ['not by a fragment', { ...page, task: { ...page.task } }, true],
  ]
  for (const [name, other, isSame] of cases)
    test(name, async () => {
      await using folder = await temporaryFolder()
      await using cache = await cacheIn(folder.path, wallAt())
      await learn(cache, page, answer('one', { ...lasting, vary: 'Accept-Language' }))
      expect(textOf(await recall(cache, other))).toBe(isSame ? 'one' : null)
    })

  test('and each of the variants of one URL is kept', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt())
    const inGerman = { ...page, headers: german }
    await learn(cache, page, answer('one', { ...lasting, vary: 'accept-language' }))
    await learn(cache, inGerman, answer('eins', { ...lasting, vary: 'accept-language' }))
    expect([await used(cache, page), await used(cache, inGerman)]).toEqual(['one', 'eins'])
  })

  test('but in reuse not by cookies, user agent and codings', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt(), { mode: 'reuse' })
    await learn(cache, page, answer('one', { vary: 'User-Agent, Accept-Encoding, Cookie' }))
    const other = { ...page, headers: ['User-Agent', 'test/2.0', 'Cookie', 'a=1'] }
    expect(await used(cache, other)).toBe('one')
  })

  test('a jar wants the cookies of an answer: HTTP is not asked to do without them', async () => {
    await using folder = await temporaryFolder()
    await using cache = await cacheIn(folder.path, wallAt(), { keepsCookies: () => true })
    await learn(cache, page, { ...answer('one', lasting), setCookies: ['a=1'] })
    expect(cache.counts.stored).toBe(0)
  })
})

test('an answer that the asker may not have is as good as none', async () => {
  await using folder = await temporaryFolder()
  await using cache = await cacheIn(folder.path, wallAt())
  await learn(cache, page, { ...answer('one', lasting), from: 'private' })
  expect(cache.holds(page)).toBe(true)
  expect(await cache.recall(page, ({ from }) => from === 'public')).toBeNull()
  expect(cache.holds(page)).toBe(false)
  expect(cache.counts.hits).toBe(0)
})

test('what turned out to be no page is forgotten, for other runs as well', async () => {
  await using folder = await temporaryFolder()
  for (const round of [1, 2]) {
    await using cache = await cacheIn(folder.path, wallAt(), { mode: 'reuse' })
    expect(cache.holds(page), `run ${round}`).toBe(false)
    await learn(cache, page, answer('are you human?'))
    expect(cache.holds(page)).toBe(true)
    cache.forget(page)
    expect(await recall(cache, page)).toBeNull()
  }
})

test('a robots file is neither stored nor used', async () => {
  await using folder = await temporaryFolder()
  await using cache = await cacheIn(folder.path, wallAt(), { mode: 'reuse' })
  const robots = { ...page, task: { ...page.task, page: 'robots.txt' } }
  await learn(cache, robots, answer('User-agent: *', lasting))
  expect(cache.counts.stored).toBe(0)
  expect(cache.holds(robots)).toBe(false)
})
