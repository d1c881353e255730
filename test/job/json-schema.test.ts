import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../../src/job/define-job.ts'
import { jobSchema } from '../../src/job/json-schema.ts'

const schema = jobSchema()
const reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])

test('the JSON Schema accepts what a job may say', () => {
  const job = defineJob({
    name: 'books',
    preset: 'general',
    seeds: ['https://books.test/', { url: 'https://books.test/', page: 'list' }, { from: 'urls.txt' }],
    scope: { include: ['/catalogue/*'], maxDepth: 5 },
    pages: [
      { name: 'list', match: '/catalogue/page-*', follow: ['li.next a', 'h3 a'] },
      {
        name: 'product',
        item: {
          title: 'h1',
          tags: ['.tag'],
          price: { selector: '.price', type: 'number' },
          images: [{ selector: 'img', value: 'src', type: 'url' }],
          offers: [{ selector: 'tr', value: { seller: '.name', price: { selector: '.p', type: 'number' } } }],
        },
      },
    ],
    limits: {
      perHost: { policy: 'aimd', start: 2, max: 16 },
      rate: { perMinute: 600, burst: 5 },
      delayMs: [500, '1.5s'],
    },
    timeouts: { totalMs: '2m' },
    budget: { time: '1h' },
    robots: { ignoreFor: ['books.test'] },
    hosts: { 'books.test': { max: 32, reason: 'agreed with the owner' } },
  })
  expect(reader.safeParse(job).error).toBeUndefined()
})

test.each([
  { limits: { inFlight: 0 } },
  { lmits: {} },
  { preset: 'fast' },
  { limits: { delayMs: '2 fortnights' } },
  { timeouts: { totalMs: '2' } },
  { item: {} },
  { item: { price: { selector: '.p', tpye: 'number' } } },
  { item: { a: ['b', 'c'] } },
  { item: { a: { selector: '.p', pick: 0 } } },
  { item: { a: { constant: 1, selector: 'b' } } },
  { items: { selector: 'li', item: {} } },
])('the JSON Schema refuses %j', job => {
  expect(reader.safeParse(job).success).toBe(false)
})

test('the JSON Schema is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
})
