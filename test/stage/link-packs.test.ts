import { expect, test } from 'vitest'
import { linkCountOf, linksPerPack, packLinks, slicesOf } from '../../src/stage/link-packs.ts'

const linksOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    url: `http://a.test/é/${nth}`,
    key: `http://a.test/é/${nth}`,
    page: 'page',
    ...(nth % 2 === 0 && { priority: nth }),
  }))

test.each([0, 1, linksPerPack, linksPerPack + 1, 10 * linksPerPack + 7])(
  '%d links are the same, in the same order, packed or not',
  count => {
    const links = linksOf(count)
    const packed = packLinks(links)
    expect(linkCountOf(packed)).toBe(count)
    for (const form of [packed, { links }]) {
      const slices = [...slicesOf(form)]
      expect(slices.flat()).toEqual(links)
      for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(linksPerPack)
    }
  },
)
