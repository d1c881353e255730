import { describe, expect, test } from 'vitest'
import { patternOf, shapeTrapOf } from '../../src/scope/trap.ts'

const shape = (path: string) => shapeTrapOf(new URL(path, 'http://a.test/'))
const row = (path: string) => patternOf(new URL(path, 'http://a.test/'))

describe('a path is a trap by its shape', () => {
  test.each([
    ['/about/about/about/'],
    ['/a/bc/a/bc/a/bc/x'],
    ['/shop/en/de/fr/en/de/fr/en/de/fr'],
    ['/x/menu/y/menu/z/menu/p/menu/q/menu/r/menu'],
  ])('%s repeats itself', path => {
    expect(shape(path)).toBe('repeating-segments')
  })

  test('more than forty segments are no site', () => {
    expect(shape(`/${Array.from({ length: 41 }, (_, nth) => `p${nth}`).join('/')}`)).toBe('deep-path')
  })

  test.each([
    ['/'],
    ['/2011/11/11/11-11-11/'],
    ['/a/a/a/aaa.png'],
    ['/tiles/0/0/0/0.png'],
    ['/de/shop/de/shop'],
    ['/news/news/latest'],
  ])('%s is honest', path => {
    expect(shape(path)).toBeNull()
  })
})

describe('rows are known by what differs in them', () => {
  test.each([
    ['/calendar/2024/05/06', 'calendar', 'a.test/calendar/{date}'],
    ['/calendar/2024-05-06/day', 'calendar', 'a.test/calendar/{date}/day'],
    ['/events/20240506', 'calendar', 'a.test/events/{date}'],
    ['/events?date=2024-05-06&view=list', 'calendar', 'a.test/events?date={date}&view'],
    ['/events?year=2024&month=5', 'calendar', 'a.test/events?month={date}&year={date}'],
    ['/list?page=7', 'parameters', 'a.test/list?page'],
    ['/(S(lit3py55t21z5v55vlm25s55))/list', 'session', 'a.test/{session}/list'],
    ['/s/9f86d081884c7d659a2feaa0/list', 'session', 'a.test/s/{session}/list'],
  ])('%s', (path, kind, pattern) => {
    expect(row(path)).toEqual({ kind, pattern })
  })

  test.each([
    ['/'],
    ['/product/123'],
    ['/item/9f86d081884c7d659a2feaa0'],
    ['/2024'],
    ['/a-long-name-of-some-article/x'],
  ])('%s is no row', path => {
    expect(row(path)).toBeNull()
  })

  test('articles of a newspaper are rows of one, each of its own', () => {
    expect(row('/2024/05/06/one')?.pattern).not.toBe(row('/2024/05/06/two')?.pattern)
  })
})
