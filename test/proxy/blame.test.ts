import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createBlameTable } from '../../src/proxy/blame.ts'
import { chanceOf } from '../../src/proxy/fisher.ts'
import { createRandom } from '../sim/random.ts'

const host = 'a.test' as HostKey

describe("Fisher's exact test", () => {
  test('has the values of the textbook', () => {
    // The lady tasting tea: three of four cups right.
    expect(chanceOf({ hits: 3, trials: 4 }, { hits: 1, trials: 4 })).toBeCloseTo(17 / 70, 10)
    expect(chanceOf({ hits: 4, trials: 4 }, { hits: 0, trials: 4 })).toBeCloseTo(1 / 70, 10)
    expect(chanceOf({ hits: 0, trials: 4 }, { hits: 2, trials: 4 })).toBeCloseTo(1, 10)
  })

  test('is a probability, and falls with each hit more', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40), (hits, misses, otherHits, otherMisses) => {
        const others = { hits: otherHits, trials: otherHits + otherMisses }
        const chance = chanceOf({ hits, trials: hits + misses }, others)
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chance).toBeLessThanOrEqual(1)
        if (misses > 0)
          expect(chanceOf({ hits: hits + 1, trials: hits + misses }, others)).toBeLessThanOrEqual(chance + 1e-9)
      }),
    )
  })
})

/** Answers of four regions in turn, each blocked with its own chance. What was blamed, by region. */
function verdicts(chances: Readonly<Record<string, number>>, answers: number, seed: number) {
  const table = createBlameTable()
  const random = createRandom(seed)
  const counts: Record<string, Record<string, number>> = {}
  for (let nth = 0; nth < answers; nth += 1)
    for (const [region, chance] of Object.entries(chances)) {
      const nowMs = nth * 100
      if (table.avoidedUntilMs(host, region) > nowMs) continue
      const isBlocked = random() < chance
      const blamed = table.note(host, region, isBlocked ? 'block' : null, nowMs)
      if (!isBlocked) continue
      const own = counts[region] ?? {}
      counts[region] = own
      own[blamed] = (own[blamed] ?? 0) + 1
    }
  return counts
}

describe('a block', () => {
  const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)

  test.each(seeds)('is blamed on the region that alone gets them, after a few (seed %i)', seed => {
    const { bad = {}, ...others } = verdicts({ bad: 0.8, one: 0.02, two: 0.02, three: 0.02 }, 300, seed)
    expect(bad.region).toBeGreaterThanOrEqual(1)
    expect((bad.host ?? 0) + (bad.open ?? 0)).toBeLessThanOrEqual(6)
    for (const counts of Object.values(others)) expect(counts.region ?? 0).toBe(0)
  })

  test.each(seeds)('is blamed on the host where every region gets them (seed %i)', seed => {
    const counts = Object.values(verdicts({ one: 0.3, two: 0.3, three: 0.3, four: 0.3 }, 200, seed))
    const sum = (key: string): number => counts.reduce((all, own) => all + (own[key] ?? 0), 0)
    expect(sum('host')).toBeGreaterThan(150)
    expect(sum('region')).toBeLessThanOrEqual(2)
  })

  test('is nobody’s while the others are not known', () => {
    const table = createBlameTable()
    expect(table.note(host, 'one', 'block', 0)).toBe('open')
    expect(table.note(host, 'two', 'block', 0)).toBe('open')
  })

  test('keeps its region away for a growing time, then one probe decides', () => {
    const table = createBlameTable()
    for (let nth = 0; nth < 20; nth += 1) table.note(host, 'well', null, 0)
    let blocks = 0
    while (table.note(host, 'bad', 'block', 0) !== 'region') blocks += 1
    expect(blocks).toBeLessThan(4)
    expect(table.avoidedUntilMs(host, 'bad')).toBe(30_000)
    expect(table.avoidedUntilMs('b.test' as HostKey, 'bad')).toBe(0)
    expect(table.entered(host, 'bad')).toBe(true)
    expect(table.avoidedUntilMs(host, 'bad')).toBe(Number.POSITIVE_INFINITY)
    table.tried(host, 'bad')
    expect(table.note(host, 'bad', 'block', 30_000)).toBe('region')
    expect(table.avoidedUntilMs(host, 'bad')).toBe(90_000)
    expect(table.note(host, 'bad', null, 95_000)).toBe('host')
    expect(table.avoidedUntilMs(host, 'bad')).toBe(0)
    expect(table.entered(host, 'bad')).toBe(false)
  })
})
