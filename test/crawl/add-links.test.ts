import { expect, test } from 'vitest'
import { newTask, sitemapPage, startPage, type Task } from '../../src/core/task.ts'
import type { Link } from '../../src/core/wire.ts'
import { addLinks } from '../../src/crawl/add-links.ts'
import type { House } from '../../src/crawl/house.ts'
import { packLinks } from '../../src/stage/link-packs.ts'

function houseWith(known: ReadonlySet<string> = new Set()) {
  const added: Task[] = []
  const frontier = {
    has: (id: string) => known.has(id),
    add(tasks: readonly Task[]) {
      added.push(...tasks)
      return tasks.length
    },
  }
  return { added, house: { frontier, traps: null } as unknown as House }
}

const linksOf = (count: number): Link[] =>
  Array.from({ length: count }, (_, nth) => ({
    url: `http://a.test/${nth}`,
    key: `http://a.test/${nth}`,
    page: 'page',
  }))

function pageOf(page: string) {
  const url = new URL('http://a.test/from')
  const task = newTask(url.href, url, page, { depth: 3, session: null, meta: { shelf: 7 } })
  return { task, reach: 'any' } as Parameters<typeof addLinks>[1]
}

test('a usual page hands over its links and its fate in one synchronous step', () => {
  const { house, added } = houseWith(new Set(['http://a.test/1']))
  let settledWith = -1
  void addLinks(house, pageOf(startPage), { links: linksOf(3) }, 'http://a.test/2', async () => {
    settledWith = added.length
  })
  expect(settledWith).toBe(1)
  expect(added).toMatchObject([{ url: 'http://a.test/0', depth: 4, meta: { shelf: 7 }, priority: 0 }])
})

test.each(['packed', 'plain'])(
  '50,000 links that are %s are queued in slices, and others get their turn',
  async form => {
    const { house, added } = houseWith()
    const links = linksOf(50_000)
    let turns = 0
    let mostAtOnce = 0
    let before = 0
    let isOver = false
    const look = (): void => {
      turns += 1
      mostAtOnce = Math.max(mostAtOnce, added.length - before)
      before = added.length
      if (!isOver) setImmediate(look)
    }
    setImmediate(look)
    await addLinks(house, pageOf(sitemapPage), form === 'packed' ? packLinks(links) : { links }, null, async () => {})
    isOver = true
    expect(added.map(({ url }) => url)).toEqual(links.map(({ url }) => url))
    expect(added.every(({ depth }) => depth === 0)).toBe(true)
    expect(mostAtOnce).toBeLessThanOrEqual(1_000)
    expect(turns).toBeGreaterThan(49)
  },
)
