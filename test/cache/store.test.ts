import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createAtHand } from '../../src/cache/at-hand.ts'
import { createRandom } from '../sim/random.ts'
import { answer, cacheIn, learn, recall, temporaryFolder, threadedCacheIn, used, usual, wallAt, wanted } from './kit.ts'

const fresh = { 'cache-control': 'max-age=3600' }
const urlOf = (nth: number) => wanted(`https://a.test/${nth}`)

test('what is stored outlives the process, with its bytes as they came', async () => {
  await using folder = await temporaryFolder()
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  {
    await using cache = await threadedCacheIn(folder.path, wallAt())
    await learn(cache, urlOf(1), { ...answer('', fresh), body: bytes, from: 'private' })
    expect(bytes).toHaveLength(256)
  }
  await using cache = await threadedCacheIn(folder.path, wallAt())
  expect(cache.holds(urlOf(1))).toBe(true)
  const recalled = await recall(cache, urlOf(1))
  expect(recalled?.body).toEqual(bytes)
  expect(recalled?.from).toBe('private')
})

test('beyond its ceiling the answers that were not used for longest go', async () => {
  await using folder = await temporaryFolder()
  const wall = wallAt()
  const maxBytes = 100_000
  const body = 'x'.repeat(9_000)
  {
    await using cache = await cacheIn(folder.path, wall, { maxBytes })
    for (let nth = 0; nth < 10; nth += 1) {
      await learn(cache, urlOf(nth), answer(body, fresh))
      wall.nowMs += 1_000
    }
    expect(await used(cache, urlOf(0))).toBe(body)
  }
  {
    await using cache = await cacheIn(folder.path, wall, { maxBytes })
    for (let nth = 10; nth < 14; nth += 1) await learn(cache, urlOf(nth), answer(body, fresh))
  }
  await using cache = await cacheIn(folder.path, wall, { maxBytes })
  const left = Array.from({ length: 14 }, (_, nth) => nth).filter(nth => cache.holds(urlOf(nth)))
  expect(left).toEqual([0, 5, 6, 7, 8, 9, 10, 11, 12, 13])
})

test('an answer that would drive out half of the others is not stored', async () => {
  await using folder = await temporaryFolder()
  await using cache = await cacheIn(folder.path, wallAt(), { maxBytes: 100_000 })
  await learn(cache, urlOf(1), answer('x'.repeat(60_000), fresh))
  expect(await recall(cache, urlOf(1))).toBeNull()
  expect(cache.holds(urlOf(1))).toBe(false)
})

const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['is no database', file => writeFile(file, 'no database at all, and long enough to be looked at '.repeat(40))],
  ['was cut short', async file => truncate(file, Math.floor((await stat(file)).size / 2))],
]
for (const [name, damage] of damages)
  test(`a store that ${name} is told of, and begun anew`, async () => {
    await using folder = await temporaryFolder()
    {
      await using cache = await cacheIn(folder.path, wallAt())
      for (let nth = 0; nth < 50; nth += 1) await learn(cache, urlOf(nth), answer('x'.repeat(2_000), fresh))
    }
    const [file = ''] = await readdir(folder.path)
    await damage(join(folder.path, file))
    const told: string[] = []
    {
      await using cache = await cacheIn(folder.path, wallAt(), { tell: reason => told.push(reason) })
      for (let nth = 0; nth < 50; nth += 1) await recall(cache, urlOf(nth))
      await learn(cache, urlOf(1), answer('new', fresh))
      expect(await used(cache, urlOf(1))).toBe('new')
    }
    expect(told).toEqual([expect.stringContaining('is damaged: it is removed, and the cache begins anew')])
    await using cache = await cacheIn(folder.path, wallAt())
    expect(await used(cache, urlOf(1))).toBe('new')
    expect(await readdir(folder.path)).not.toContain(file)
  })

test('a page whose bytes were changed on the disk is not used', async () => {
  await using folder = await temporaryFolder()
  {
    await using cache = await cacheIn(folder.path, wallAt())
    await learn(cache, urlOf(1), answer('a page', fresh))
  }
  const [file = ''] = await readdir(folder.path)
  const database = new DatabaseSync(join(folder.path, file))
  database.prepare('UPDATE bodies SET body = ?').run(new Uint8Array(Buffer.from('b page')))
  database.close()
  await using cache = await cacheIn(folder.path, wallAt())
  expect(await recall(cache, urlOf(1))).toBeNull()
})

test.each(['status = 404', `setCookies = '["a=2"]'`, 'cameAtMs = 1e300', "source = 'private'", "selection = '{'"])(
  'an answer whose %s was changed on the disk is not used',
  async change => {
    await using folder = await temporaryFolder()
    {
      await using cache = await cacheIn(folder.path, wallAt())
      await learn(cache, urlOf(1), answer('a page', fresh))
    }
    const [file = ''] = await readdir(folder.path)
    const database = new DatabaseSync(join(folder.path, file))
    database.exec(`UPDATE answers SET ${change}`)
    database.close()
    await using cache = await cacheIn(folder.path, wallAt())
    expect(await recall(cache, urlOf(1))).toBeNull()
    await learn(cache, urlOf(1), answer('anew', fresh))
    expect(Buffer.from((await recall(cache, urlOf(1)))?.body ?? []).toString()).toBe('anew')
  },
)

test('neither passwords nor cookies can be read in the file', async () => {
  await using folder = await temporaryFolder()
  {
    await using cache = await cacheIn(folder.path, wallAt())
    const headers = [...usual, 'Authorization', 'Basic c2VjcmV0', 'Cookie', 'sid=c2VjcmV0']
    const what = wanted('https://ann:c2VjcmV0@a.test/', headers)
    await learn(cache, what, { ...answer('page', { ...fresh, vary: 'Cookie' }), setCookies: ['sid=c2VjcmV0'] })
    expect(await used(cache, what)).toBe('page')
  }
  for (const name of await readdir(folder.path))
    expect((await readFile(join(folder.path, name))).toString('latin1')).not.toContain('c2VjcmV0')
})

test('two caches on one folder find what the other one stored, and neither loses anything', async () => {
  await using folder = await temporaryFolder()
  const [one, other] = await Promise.all([
    threadedCacheIn(folder.path, wallAt()),
    threadedCacheIn(folder.path, wallAt()),
  ])
  await Promise.all(
    Array.from({ length: 200 }, (_, nth) => learn(nth % 2 === 0 ? one : other, urlOf(nth), answer(`${nth}`, fresh))),
  )
  await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()])
  await using cache = await cacheIn(folder.path, wallAt())
  for (let nth = 0; nth < 200; nth += 1) expect(await used(cache, urlOf(nth))).toBe(`${nth}`)
})

test('a folder that cannot be made is told before anything is fetched', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  await expect(threadedCacheIn(join(file, 'cache'), wallAt())).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('cache.dir'),
  })
})

test('the index in memory agrees with a map', () => {
  const random = createRandom(1)
  const atHand = createAtHand()
  const model = new Map<string, number>()
  const keys = Array.from({ length: 2_000 }, () =>
    Buffer.from(Array.from({ length: 16 }, () => random() * 256)).toString('base64url'),
  )
  for (let step = 0; step < 10_000; step += 1) {
    const key = keys[Math.floor(random() * keys.length)] ?? ''
    atHand.set(key, step)
    model.set(key, step)
  }
  expect(atHand.size).toBe(model.size)
  for (const key of keys) expect(atHand.untilMs(key)).toBe(model.get(key) ?? 0)
})
