import { describe, expect, test } from 'vitest'
import { directivesOf, secondsOf } from '../../src/cache/cache-control.ts'
import { freshUntilMs } from '../../src/cache/freshness.ts'
import { noon } from './kit.ts'

const at = (ms: number): string => new Date(ms).toUTCString()

describe('an answer is fresh', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['for its max-age', { 'cache-control': 'max-age=60' }, 60],
    ['by max-age and not by Expires where both are given', { 'cache-control': 'max-age=60', expires: '0' }, 60],
    ['until Expires, counted from its Date', { date: at(noon), expires: at(noon + 90_000) }, 90],
    ['until an Expires in the old form', { expires: 'Sunday, 01-Mar-26 12:01:00 GMT' }, 60],
    ['not at all with an Expires that is no date', { expires: '0' }, 0],
    ['not at all when nothing says so, however old the page is', { 'last-modified': at(noon - 9e9) }, 0],
    ['not at all with no-cache, whatever max-age says', { 'cache-control': 'no-cache, max-age=60' }, 0],
    ['for a private cache by max-age, not by s-maxage', { 'cache-control': 's-maxage=9, max-age=60' }, 60],
    ['less its Age', { 'cache-control': 'max-age=60', age: '20' }, 40],
    ['less the time since its Date', { 'cache-control': 'max-age=60', date: at(noon - 30_000) }, 30],
    ['as long as stated with a Date in the future', { 'cache-control': 'max-age=60', date: at(noon + 30_000) }, 60],
    ['by the shortest of several max-age', { 'cache-control': 'max-age=60, max-age=10, max-age=30' }, 10],
    ['by a quoted max-age', { 'cache-control': 'max-age="60"' }, 60],
    ['not at all with a max-age that is no number', { 'cache-control': 'max-age=-1' }, 0],
  ]
  for (const [name, headers, seconds] of cases)
    test(name, () => expect(freshUntilMs(headers, { askedAtMs: noon, cameAtMs: noon })).toBe(noon + seconds * 1_000))

  test('less the time that the answer was on its way, where caches stand between', () => {
    const headers = { 'cache-control': 'max-age=60', age: '10' }
    expect(freshUntilMs(headers, { askedAtMs: noon - 5_000, cameAtMs: noon })).toBe(noon + 45_000)
  })
})

test('directives are read whatever their case, their quotes and the commas in these', () => {
  const directives = directivesOf('Private="a, b",  MAX-AGE = 5 ,, no-transform')
  expect([...directives]).toEqual([
    ['private', 'a, b'],
    ['max-age', '5'],
    ['no-transform', null],
  ])
  expect(secondsOf(directives, 'max-age')).toBe(5)
  expect(secondsOf(directives, 's-maxage')).toBeNull()
})
