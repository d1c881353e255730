import { describe, expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { rotations } from '../../src/proxy/rotations/index.ts'
import type { ExitView } from '../../src/proxy/rotations/rotation.ts'
import { createRandom } from '../sim/random.ts'

const host = 'a.test' as HostKey
const viewOf = (nth: number, more: Partial<ExitView> = {}): ExitView => ({
  label: `p${nth}`,
  weight: 1,
  score: 1,
  inFlight: 0,
  uses: 0,
  turn: 0,
  ...more,
})
const seven = Array.from({ length: 7 }, (_, nth) => viewOf(nth))

/** `count` leases, each of which is remembered in the views. */
function play(name: keyof typeof rotations, views: readonly ExitView[], count: number, seed = 1): string[] {
  const random = createRandom(seed)
  let now = views
  return Array.from({ length: count }, (_, nth) => {
    const chosen = rotations[name](now, `h${nth % 40}.test` as HostKey, random)
    now = now.map(view => (view.label === chosen?.label ? { ...view, uses: view.uses + 1, turn: nth + 1 } : view))
    return chosen?.label ?? 'none'
  })
}

const countsOf = (labels: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(labels, label => label)).map(([label, all]) => [label, all?.length ?? 0]),
  )

describe.each(Object.keys(rotations) as (keyof typeof rotations)[])('the rotation %s', name => {
  test('chooses one of those that it was given', () => {
    for (const count of [1, 2, 7])
      expect(seven.slice(0, count)).toContain(rotations[name](seven.slice(0, count), host, createRandom(count)))
  })
  test('gives none for none', () => expect(rotations[name]([], host, Math.random)).toBeUndefined())
  test('uses all of them in the end', () => expect(new Set(play(name, seven, 400)).size).toBe(7))
  test('is the same for the same seed', () => expect(play(name, seven, 50, 5)).toEqual(play(name, seven, 50, 5)))
})

describe('weighted', () => {
  test('gives each its part, by weight and the square of the score', () => {
    const counts = countsOf(play('weighted', [viewOf(0, { weight: 3 }), viewOf(1), viewOf(2, { score: 0.5 })], 4_250))
    expect(counts.p0).toBeGreaterThan(2_850)
    expect(counts.p1).toBeGreaterThan(880)
    expect(counts.p2).toBeLessThan(320)
    expect(counts.p2).toBeGreaterThan(180)
  })
})

test('round-robin takes one after the other', () => {
  expect(play('round-robin', seven.slice(0, 3), 6)).toEqual(['p0', 'p1', 'p2', 'p0', 'p1', 'p2'])
})

test('least-used looks at what is under way first, by weight, and then at all uses', () => {
  const views = [viewOf(0, { inFlight: 2, weight: 4 }), viewOf(1, { inFlight: 1 }), viewOf(2, { inFlight: 1, uses: 9 })]
  expect(rotations['least-used'](views, host, Math.random)?.label).toBe('p0')
  expect(rotations['least-used'](views.slice(1), host, Math.random)?.label).toBe('p1')
})

describe('sticky-host', () => {
  const choose = (views: readonly ExitView[], name: string): string | undefined =>
    rotations['sticky-host'](views, name as HostKey, Math.random)?.label
  const hosts = Array.from({ length: 400 }, (_, nth) => `h${nth}.test`)

  test('sends a host through the same exit, whatever was used before', () => {
    for (const name of hosts)
      expect(choose(seven, name)).toBe(
        choose(
          [...seven].reverse().map(view => ({ ...view, uses: 5, turn: 9 })),
          name,
        ),
      )
  })
  test('moves only the hosts of an exit that goes', () => {
    for (const name of hosts) {
      const before = choose(seven, name)
      if (before !== 'p3')
        expect(
          choose(
            seven.filter(({ label }) => label !== 'p3'),
            name,
          ),
        ).toBe(before)
    }
  })
  test('spreads the hosts over all', () => {
    const counts = Object.values(countsOf(hosts.map(name => choose(seven, name) ?? 'none')))
    expect(Math.min(...counts)).toBeGreaterThan(30)
    expect(Math.max(...counts)).toBeLessThan(90)
  })
})
