import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import { planJob } from '../../src/run/plan-job.ts'

const planOf = (changes: object, stdin = '') =>
  planJob(
    checkJob({ item: { title: 'h1' }, ...changes }, { path: 'books.yaml', baseDir: '/jobs' }),
    Readable.from([stdin]),
    new AbortController().signal,
  )

const seeds = [
  ...Array.from({ length: 11 }, (_, nth) => `https://books.test/${nth}`),
  'http://localhost:8080/',
  'https://big.test/',
]
const hosts = { 'big.test': { max: 60, reason: 'agreed with the owner', rate: { perMinute: 6 } } }

describe('the plan of a job', () => {
  test('says of each host how fast it would be asked, and where that comes from', async () => {
    const plan = await planOf({ seeds, hosts, robots: { ignoreFor: ['big.test'] } })
    expect(plan).toMatchObject({ name: 'books', preset: 'general', inFlight: 256, seeds: 13, hostCount: 3 })
    expect(plan.hosts).toEqual([
      expect.objectContaining({ host: 'books.test', seeds: 11, because: 'preset general', robots: 'obeyed' }),
      expect.objectContaining({ host: 'localhost:8080', perHost: { policy: 'fixed', max: 64 }, spacingMs: 0 }),
      expect.objectContaining({
        host: 'big.test',
        perHost: { policy: 'aimd', start: 2, max: 60 },
        because: 'hosts["big.test"] of the job',
        reason: 'agreed with the owner',
        robots: 'ignored',
        spacingMs: 10_000,
      }),
    ])
  })

  test('says how long the seeds take at least', async () => {
    expect((await planOf({ seeds, hosts })).leastMs).toBe(10 * 2_000)
    const slow = await planOf({ seeds, hosts, limits: { globalRate: { perSecond: 0.5 } } })
    expect(slow.leastMs).toBe(12 * 2_000)
  })

  test('tells the limits of a job from those of its preset', async () => {
    const [host] = (await planOf({ seeds: ['https://a.test/'], limits: { delayMs: 0 } })).hosts
    expect(host).toMatchObject({ because: 'limits of the job', spacingMs: 0 })
  })

  test('names the proxies by their labels, and calls no function for them', async () => {
    const list = [
      'http://me:hush@one.test:1',
      { url: 'two.test:2', region: 'de' },
      { url: 'three.test:3', region: 'de' },
    ]
    const { proxies } = await planOf({ seeds: ['https://a.test/'], proxies: { list } })
    expect(proxies).toMatchObject({ count: 3, connection: 'fresh', rotation: 'weighted', unread: 0 })
    expect(proxies?.regions).toEqual([
      { region: '', count: 1 },
      { region: 'de', count: 2 },
    ])
    expect(JSON.stringify(proxies)).not.toContain('hush')
    const fail = (): never => {
      throw new Error('called')
    }
    expect((await planOf({ seeds: ['https://a.test/'], proxies: { list: fail } })).proxies).toMatchObject({ unread: 1 })
    expect((await planOf({ seeds: ['https://a.test/'] })).proxies).toBeNull()
  })

  test('reads the seeds where they are', async () => {
    const plan = await planOf(
      { seeds: [{ from: '-' }] },
      'https://a.test/1\n# none\nnonsense\nhttps://b.test/\nhttps://a.test/2\n',
    )
    expect(plan.badSeeds).toBe(1)
    expect(plan.hosts.map(({ host, seeds: count }) => [host, count])).toEqual([
      ['a.test', 2],
      ['b.test', 1],
    ])
  })
})
