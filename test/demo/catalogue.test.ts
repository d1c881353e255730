import { describe, expect, test } from 'vitest'
import { createCatalogue } from '../../src/demo/catalogue.ts'
import { amountOf, moneyText } from '../../src/demo/money.ts'
import { trades } from '../../src/demo/trades.ts'

const read: Readonly<Record<string, (text: string) => number>> = {
  GBP: text => Number(text.replace(/[£,]/g, '')),
  USD: text => Number(text.replace(/[$,]/g, '')),
  EUR: text => Number(text.replace(/[.\s€]/g, '').replace(',', '.')),
}

describe.each([1, 2, 77])('the shop of seed %i', seed => {
  const { products, articles, renamed, throttled, slow } = createCatalogue(seed)

  test('has 300 products in 12 departments, 25 in each', () => {
    expect(products.length).toBe(300)
    expect(new Set(products.map(({ trade }) => trade.slug)).size).toBe(12)
    for (const trade of trades) expect(products.filter(product => product.trade === trade).length).toBe(25)
  })

  test('has no title, address or stock number twice', () => {
    for (const key of ['title', 'slug', 'sku'] as const)
      expect(new Set(products.map(product => product[key])).size, key).toBe(300)
  })

  test('writes prices in three notations, each with thousands', () => {
    const shapes = { GBP: /^£[\d,]+\.\d\d$/, EUR: /^[\d.]+,\d\d\u00a0€$/, USD: /^\$[\d,]+\.\d\d$/ }
    for (const [currency, shape] of Object.entries(shapes)) {
      const prices = products.map(({ price }) => price).filter(price => price.currency === currency)
      expect(prices.length).toBe(100)
      expect(
        prices.some(({ cents }) => cents >= 100_000),
        currency,
      ).toBe(true)
      for (const price of prices) {
        expect(moneyText(price)).toMatch(shape)
        expect(read[currency]?.(moneyText(price))).toBe(amountOf(price))
      }
    }
  })

  test('gives every product what a shop knows of it', () => {
    for (const { description, imageCount, offers, reviews, rating, publishedAt, price, title } of products) {
      expect(description.length, title).toBeGreaterThanOrEqual(2)
      for (const text of description) expect(text).not.toMatch(/[{}]|undefined/)
      expect([1, 2, 3, 4]).toContain(imageCount)
      expect(offers.length).toBeGreaterThanOrEqual(2)
      expect(offers[0]?.price).toEqual(price)
      expect(reviews.length).toBeGreaterThanOrEqual(4)
      expect(rating).toBeGreaterThanOrEqual(1)
      expect(rating).toBeLessThanOrEqual(5)
      expect(publishedAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:00Z$/)
    }
  })

  test('speaks in many scripts', () => {
    const titles = products.map(({ title }) => title).join(' ')
    for (const script of [
      'Latin',
      'Greek',
      'Cyrillic',
      'Arabic',
      'Hebrew',
      'Georgian',
      'Devanagari',
      'Hiragana',
      'Han',
    ])
      expect(titles, script).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'))
    expect(titles).toMatch(/[&<>]/)
  })

  test('has some that are renamed, some that ask for patience and some that are slow, none twice', () => {
    const special = [...renamed.keys(), ...throttled, ...slow.keys()]
    expect(new Set(special).size).toBe(special.length)
    expect(articles.length).toBe(24)
  })
})

test('prices keep their notation at the edges', () => {
  expect(moneyText({ currency: 'GBP', cents: 5_177 })).toBe('£51.77')
  expect(moneyText({ currency: 'EUR', cents: 123_456 })).toBe('1.234,56\u00a0€')
  expect(moneyText({ currency: 'USD', cents: 123_456_789 })).toBe('$1,234,567.89')
  expect(moneyText({ currency: 'GBP', cents: 5 })).toBe('£0.05')
})
