import { describe, expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import { createStage } from '../../src/stage/stage.ts'
import { parsed, parseRequest, stageRules } from '../stage/requests.ts'

const item = {
  detail: { selector: 'a.d', value: 'href' },
  count: { selector: 'a', count: true },
  maker: { selector: '.m', value: { page: { selector: 'a', type: 'url' } } },
}

const jobWith = (follow: unknown) =>
  checkJob(
    {
      name: 'x',
      seeds: ['http://shop.test/a'],
      pages: [
        { name: 'product', match: '/p/*', item: { title: 'h1' } },
        { name: 'maker', match: '/nowhere', item: { title: 'h1' } },
        { name: 'list', item, follow },
      ],
    } as never,
    { path: 'job.yaml', baseDir: '.' },
  )

const problemOf = (follow: unknown): string => {
  try {
    jobWith(follow)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  return 'accepted'
}

const html =
  '<a class=d href=/p/1>1</a><a href=/p/2>2</a><div class=m><a href=/x>x</a></div><nav><a href=/p/1>1</a></nav>'

function linksOf(follow: unknown): string[] {
  const stage = createStage(stageRules(jobWith(follow).pages), () => 0)
  const { links } = parsed(stage.run(parseRequest(html, { page: 'list' })))
  return links.map(({ url, page, priority = 0 }) => `${url} ${page} ${priority}`)
}

describe('fields that a page rule follows', () => {
  test('are read by the page rule that fits, or by the one that is named', () => {
    expect(linksOf({ field: 'detail' })).toEqual(['http://shop.test/p/1 product 0'])
    expect(linksOf([{ field: 'maker.page', page: 'maker', priority: 5 }])).toEqual(['http://shop.test/x maker 5'])
  })

  test('say more of a link than a selector that finds it as well', () => {
    expect(linksOf(['nav a', { field: 'detail', page: 'maker' }])).toEqual(['http://shop.test/p/1 maker 0'])
  })

  test('may be wanted only where their URL fits', () => {
    expect(linksOf([{ field: 'detail', match: '/q/*' }])).toEqual([])
  })

  test.each([
    [
      { field: 'detial' },
      'pages[2].follow.field: "detial" is not accepted; expected one of its fields: detail, count, maker',
    ],
    [
      [{ field: 'count' }],
      'pages[2].follow[0].field: "count" is not accepted; expected a field that is a text or a URL',
    ],
    [
      [{ field: 'maker' }],
      'pages[2].follow[0].field: "maker" is not accepted; expected a field of this nested item: page',
    ],
    [['a', { field: 'detail', page: 'no' }], 'pages[2].follow[1].page: "no" is not accepted; expected a page rule'],
    [[{ field: 'detail', selector: 'a' }], 'give one of them'],
    [[{ field: 'constructor' }], 'pages[2].follow[0].field: "constructor" is not accepted'],
  ])('%j is refused', (follow, message) => {
    expect(problemOf(follow)).toContain(message)
  })
})
