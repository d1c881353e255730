import { expect, test } from 'vitest'
import { createTrapWatch, type TrapWatch } from '../../src/scope/trap-watch.ts'

/** Follows a row as a crawl does: each page of it is read before the next is linked. How many were followed. */
function follow(
  watch: TrapWatch,
  count: number,
  urlOf: (nth: number) => string,
  rowOf: (nth: number) => string,
): number {
  let followed = 0
  for (let nth = 0; nth < count; nth += 1) {
    const url = new URL(urlOf(nth))
    if (watch.judge(url) !== null) continue
    followed += 1
    watch.read(url, rowOf(nth))
  }
  return followed
}

test('a row whose pages all say the same ends at its allowance, and is told with an example', () => {
  const watch = createTrapWatch({ perPattern: 100 })
  expect(
    follow(
      watch,
      1_000,
      nth => `http://a.test/list?page=${nth}`,
      () => 'nothing found',
    ),
  ).toBe(100)
  expect(watch.report()).toEqual([
    { kind: 'parameters', pattern: 'a.test/list?page', urls: 900, example: 'http://a.test/list?page=100' },
  ])
})

test('a row of different pages goes on as long as it likes', () => {
  const watch = createTrapWatch({ perPattern: 100 })
  expect(
    follow(
      watch,
      5_000,
      nth => `http://a.test/show?id=${nth}`,
      nth => `product ${nth}`,
    ),
  ).toBe(5_000)
  expect(watch.report()).toEqual([])
})

test('a list that is real up to its end, and goes on empty, is left soon after', () => {
  const watch = createTrapWatch({ perPattern: 100 })
  const followed = follow(
    watch,
    5_000,
    nth => `http://a.test/list?page=${nth}`,
    nth => (nth < 450 ? `${nth}` : 'none'),
  )
  expect(followed).toBeGreaterThanOrEqual(450)
  expect(followed).toBeLessThanOrEqual(650)
})

test('a calendar ends in any case', () => {
  const watch = createTrapWatch({ perPattern: 10 })
  const dayOf = (nth: number): string => new Date(Date.UTC(2024, 0, 1 + nth)).toISOString().slice(0, 10)
  expect(
    follow(
      watch,
      1_000,
      nth => `http://a.test/day/${dayOf(nth)}`,
      nth => `${nth}`,
    ),
  ).toBe(200)
})

test('links of a row that come all at once are no proof', () => {
  const watch = createTrapWatch({ perPattern: 100 })
  for (let nth = 0; nth < 3_000; nth += 1) expect(watch.judge(new URL(`http://a.test/show?id=${nth}`))).toBeNull()
})

test('other rows and hosts have nothing to do with it', () => {
  const watch = createTrapWatch({ perPattern: 100 })
  follow(
    watch,
    200,
    nth => `http://a.test/list?page=${nth}`,
    () => 'same',
  )
  expect(watch.judge(new URL('http://a.test/list?page=500'))).toBe('parameters')
  expect(watch.judge(new URL('http://a.test/list?sort=1'))).toBeNull()
  expect(watch.judge(new URL('http://b.test/list?page=500'))).toBeNull()
})
