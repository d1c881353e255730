import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createAddressBook } from '../../src/gate/address-book.ts'
import { createSimClock } from '../sim/clock.ts'

/** A book whose look-ups are answered by hand. */
function createRig() {
  const clock = createSimClock()
  const asked: { readonly name: string; readonly answer: PromiseWithResolvers<readonly string[]> }[] = []
  const known: HostKey[] = []
  const book = createAddressBook({
    clock,
    resolve(name) {
      const answer = Promise.withResolvers<readonly string[]>()
      asked.push({ name, answer })
      return answer.promise
    },
    onKnown: host => void known.push(host),
  })
  const names = (): readonly string[] => asked.map(({ name }) => name)
  return { clock, asked, known, book, names, settled: () => new Promise<void>(resolve => setImmediate(resolve)) }
}
const a = 'a.test' as HostKey

test('a name is looked up once, and all who asked are told when it is known', async () => {
  const { book, asked, known, settled, names } = createRig()
  const other = 'a.test:81' as HostKey
  for (const host of [a, other, a]) expect(book.addressesOf('a.test', host)).toBe(null)
  expect(names()).toEqual(['a.test'])
  asked[0]?.answer.resolve(['192.0.2.1'])
  await settled()
  expect(known).toEqual([a, other])
  expect(book.addressesOf('a.test', a)).toEqual(['192.0.2.1'])
})

test('an old answer holds until the next one is there', async () => {
  const { book, clock, asked, settled } = createRig()
  book.addressesOf('a.test', a)
  asked[0]?.answer.resolve(['192.0.2.1'])
  await settled()
  await clock.advance(60_000)
  expect(book.addressesOf('a.test', a)).toEqual(['192.0.2.1'])
  expect(asked.length).toBe(2)
  asked[1]?.answer.resolve(['192.0.2.9'])
  await settled()
  expect(book.addressesOf('a.test', a)).toEqual(['192.0.2.9'])
})

test('a name without an address is known to have none', async () => {
  const { book, asked, known, settled } = createRig()
  book.addressesOf('a.test', a)
  asked[0]?.answer.reject(new Error('no such name'))
  await settled()
  expect([book.addressesOf('a.test', a), known]).toEqual([[], [a]])
})

test('at most 16 are looked up at a time, in the order in which they were asked for', async () => {
  const { book, asked, known, names, settled } = createRig()
  for (let nth = 0; nth < 1_000; nth += 1) book.addressesOf(`h${nth}.test`, `h${nth}.test` as HostKey)
  expect(asked.length).toBe(16)
  for (let nth = 0; nth < 1_000; nth += 1) {
    asked[nth]?.answer.resolve([])
    await settled()
  }
  expect(names()).toEqual(Array.from({ length: 1_000 }, (_, nth) => `h${nth}.test`))
  expect(known.length).toBe(1_000)
})
