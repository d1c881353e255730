import { transform } from '../../src/index.ts'

/** A program that leaves streams before their end, in two ways; the test waits for it to end by itself. */
const job = { item: { title: 'h1' } }
const pages = Array.from({ length: 50 }, (_, id) => ({ url: `http://a.test/${id}`, html: `<h1>${id}</h1>` }))
const taken = [0, 0]

const stream = transform(job, { threads: 1 }).node()
for (const page of pages.slice(0, 5)) stream.write(page)
for await (const _ of stream) {
  taken[0] = 1
  break
}

const { readable, writable } = transform(job, { threads: 1 }).web()
const writer = writable.getWriter()
await writer.write({ url: 'http://a.test/', html: '<h1>0</h1>' })
await readable.getReader().read()
taken[1] = 1
await writer.abort('enough')

console.log(`left after ${taken[0]} and ${taken[1]} pages`)
