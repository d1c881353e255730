import { describe, expect, test } from 'vitest'
import type { JobInput } from '../../src/index.ts'
import { type SimRun, simulate, urlsOf } from '../crawl/kit.ts'
import { htmlOf } from '../sim/hosts.ts'
import { createRandom } from '../sim/random.ts'
import { proxiesOf } from './kit.ts'

type Geo = (url: string, page: string) => string | null

const limits = { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0 } as const
const model = { robots: 'User-agent: *\nDisallow: /none', page: (url: URL) => htmlOf(url.pathname, []) }
const deniedUs = ({ region }: { readonly region: string }) =>
  region === 'us' ? ({ kind: 'fault', failure: 'denied', afterMs: 1 } as const) : null

const run = (geo: Geo, seed = 1): Promise<SimRun> =>
  simulate({
    seed,
    job: {
      seeds: [...urlsOf('h0.test', 20), 'http://h1.test/elsewhere'],
      item: { title: 'h1' },
      limits,
      proxies: { list: [...proxiesOf('us', 1), ...proxiesOf('de', 2)], geo },
    } as JobInput,
    hosts: { 'h0.test': model, 'h1.test': model },
    proxies: deniedUs,
  })

const isPage = (url: string): boolean => /\/\d+$/.test(url)

describe('where a function says from where a URL is to be asked for', () => {
  test.each(['us', 'nowhere'])('a page that may go anywhere has its robots file, of which it says %s', async place => {
    const { report } = await run(url => (isPage(url) ? null : place))
    expect(report.ledger).toMatchObject({ done: 20, failed: 1, pending: 0 })
    expect(report.deadByCode).toEqual({ PROXY_FAILED: 1 })
  })

  test('it may draw lots: each try goes where the lot says, and none is lost', async () => {
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed)
      const { report } = await run(() => (random() < 0.5 ? 'us' : 'de'), seed)
      expect(report.ledger).toMatchObject({ pending: 0, skipped: 0 })
      expect(report.ledger.done + report.ledger.failed).toBe(21)
      expect(report.ledger.done).toBeGreaterThan(10)
    }
  })

  test('it may say nothing, as functions of JavaScript do', async () => {
    const { report } = await run((() => undefined) as unknown as Geo)
    expect(report.ledger).toMatchObject({ done: 21, failed: 0, pending: 0 })
  })
})
