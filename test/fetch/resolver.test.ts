import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { createResolver } from '../../src/fetch/resolver.ts'
import { createHandClock } from './kit.ts'

const one: LookupAddress = { address: '192.0.2.1', family: 4 }
const coded = (code: string): Error => Object.assign(new Error(code), { code })

function rig(answer: (host: string) => readonly LookupAddress[] | Error, maxNames?: number) {
  const hand = createHandClock()
  const asked: string[] = []
  const lookup = async (host: string): Promise<readonly LookupAddress[]> => {
    asked.push(host)
    const found = answer(host)
    if (found instanceof Error) throw found
    return found
  }
  const resolver = createResolver({ clock: hand.env.clock, lookup, ...(maxNames !== undefined && { maxNames }) })
  return { hand, asked, resolver }
}

describe('a name', () => {
  test('is asked for once, however many want it, and again after a minute', async () => {
    const { hand, asked, resolver } = rig(() => [one])
    const all = await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('a.test')))
    expect(new Set(all)).toEqual(new Set([{ kind: 'resolved', addresses: [one] }]))
    hand.advance(59_999)
    await resolver.resolve('a.test')
    expect(asked).toEqual(['a.test'])
    hand.advance(2)
    await resolver.resolve('a.test')
    expect(asked).toEqual(['a.test', 'a.test'])
  })

  test('that does not exist is not asked for again for half a minute', async () => {
    const { hand, asked, resolver } = rig(() => coded('ENOTFOUND'))
    expect(await resolver.resolve('a.test')).toMatchObject({ kind: 'unresolved', error: { code: 'ENOTFOUND' } })
    hand.advance(29_999)
    await resolver.resolve('a.test')
    expect(asked.length).toBe(1)
    hand.advance(2)
    await resolver.resolve('a.test')
    expect(asked.length).toBe(2)
  })

  test('is asked for anew a second after the resolver failed', async () => {
    const { hand, asked, resolver } = rig(() => (asked.length === 1 ? coded('EAI_AGAIN') : [one]))
    await resolver.resolve('a.test')
    hand.advance(999)
    expect((await resolver.resolve('a.test')).kind).toBe('unresolved')
    hand.advance(2)
    expect((await resolver.resolve('a.test')).kind).toBe('resolved')
  })

  test('without any address is unresolved', async () => {
    expect((await rig(() => []).resolver.resolve('a.test')).kind).toBe('unresolved')
  })

  test('whose addresses were of no use is asked for anew', async () => {
    const { asked, resolver } = rig(() => [one])
    await resolver.resolve('a.test')
    resolver.forget('a.test')
    await resolver.resolve('a.test')
    expect(asked.length).toBe(2)
  })

  for (const host of ['localhost', 'shop.localhost', 'LOCALHOST.', 'a.b.localhost'])
    test(`${host} is this machine, and no resolver is asked`, async () => {
      const { asked, resolver } = rig(() => [one])
      expect(await resolver.resolve(host)).toMatchObject({ addresses: [{ address: '127.0.0.1' }, { address: '::1' }] })
      expect(asked).toEqual([])
      expect(resolver.size).toBe(0)
    })
})

test('of any number of names no more than the ceiling are remembered, the last ones', async () => {
  const { asked, resolver } = rig(() => [one], 10)
  for (let nth = 0; nth < 1_000; nth += 1) await resolver.resolve(`h${nth}.test`)
  expect(resolver.size).toBe(10)
  await resolver.resolve('h999.test')
  expect(asked.length).toBe(1_000)
})
