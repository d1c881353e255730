import { describe, expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createSimParser } from '../sim/parser.ts'
import type { SimEnv } from '../sim/random.ts'
import { adds, simulate } from './kit.ts'

/** Threads that begin with a page only when it has come as often as this. */
const lateThreads =
  (beginsAt: number) =>
  ({ clock, random }: SimEnv): Parser => {
    const parser = createSimParser({ clock, random, threads: 1, law: { kind: 'constant', ms: 1 } })
    let come = 0
    return {
      ...parser,
      async parse(request, signal) {
        come += 1
        if (come >= beginsAt) return await parser.parse(request, signal)
        return { kind: 'faulted', fault: faultOf('PARSE_UNBEGUN', 'waited 100 ms for a thread'), cpuMs: 0 }
      },
      get stats() {
        return parser.stats
      },
    }
  }

const crawlWith = (beginsAt: number) =>
  simulate({
    job: { seeds: ['http://a.test/'], item: { title: 'title' }, robots: { ignoreFor: ['a.test'] } },
    hosts: { 'a.test': {} },
    parser: lateThreads(beginsAt),
  })

describe('a page that no thread began with in time', () => {
  test('is fetched again, and is read when one does', async () => {
    const { report, web } = await crawlWith(4)
    expect(report.ledger).toMatchObject({ done: 1, failed: 0, pending: 0 })
    expect(adds(report.ledger)).toBe(true)
    expect(web.requestsOf('a.test')).toHaveLength(4)
  })

  test('ends the fourth time, without having lost an attempt', async () => {
    const { report, results } = await crawlWith(5)
    expect(report.ledger).toMatchObject({ done: 0, failed: 1, pending: 0 })
    expect(results).toMatchObject([{ kind: 'dead', code: 'PARSE_UNBEGUN', blame: 'self', attempts: 1 }])
  })
})
