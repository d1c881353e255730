import { describe, expect, test } from 'vitest'
import { createStage } from '../../src/stage/stage.ts'
import { linesOf, pageRule, parsed, parseRequest, stageRules } from './requests.ts'

const pages = [pageRule('product', { item: { title: 'h1' }, follow: ['a'] })]
type Rules = Parameters<typeof stageRules>[1]

function read(html: string, rules: Rules, headers: Record<string, string> = {}, finalUrl = 'http://shop.test/a') {
  const stage = createStage(stageRules(pages, { robotsToken: 'ExampleBot', ...rules }), () => 0)
  return parsed(stage.run(parseRequest(html, { headers, finalUrl })))
}
const page = (head: string, body = '<h1>T</h1><a href=/1>1</a><a rel="nofollow ugc" href=/2>2</a>'): string =>
  `<!doctype html><head>${head}</head><body>${body}`

describe('pages that ask not to be followed or kept', () => {
  const counts = (html: string, headers = {}) => {
    const reply = read(html, { nofollow: 'obey' }, headers)
    return [reply.itemCount, reply.links.length, reply.noindex === true]
  }

  test.each([
    ['', {}, [1, 1, false]],
    ['<meta name=robots content=nofollow>', {}, [1, 0, false]],
    ['<META NAME="Robots" CONTENT="NoIndex, follow">', {}, [0, 1, true]],
    ['<meta name=robots content=none>', {}, [0, 0, true]],
    ['<meta name=examplebot content=noindex>', {}, [0, 1, true]],
    ['<meta name=googlebot content=noindex>', {}, [1, 1, false]],
    ['', { 'x-robots-tag': 'noindex' }, [0, 1, true]],
    ['', { 'x-robots-tag': 'max-snippet: 5, nofollow' }, [1, 0, false]],
    ['', { 'x-robots-tag': 'googlebot: noindex, nofollow' }, [1, 1, false]],
    ['', { 'x-robots-tag': 'nofollow, examplebot: noindex' }, [0, 0, true]],
  ])('are heeded: %s %j', (head, headers, expected) => {
    expect(counts(page(head), headers)).toEqual(expected)
  })

  test('what stands in the body of a page says nothing', () => {
    expect(counts(page('', '<h1>T</h1><meta name=robots content=none><a href=/1>1</a>'))).toEqual([1, 1, false])
  })

  test('are not heeded unless the job wants it', () => {
    const reply = read(page('<meta name=robots content=none>'), {}, { 'x-robots-tag': 'none' })
    expect([reply.itemCount, reply.links.length, reply.noindex]).toEqual([1, 2, undefined])
  })
})

describe('the canonical URL of a page', () => {
  const canonicalOf = (head: string, headers = {}, mode: 'use' | 'ignore' = 'use') =>
    read(page(head), { canonical: mode }, headers, 'http://shop.test/a?x=1').canonical?.url

  test.each([
    ['<link rel=canonical href=/a>', {}, 'http://shop.test/a'],
    ['<base href=/dir/><link href="b" rel="CANONICAL">', {}, 'http://shop.test/dir/b'],
    ['', { link: '</s.css>; rel=preload, <http://shop.test/c>; rel="canonical"' }, 'http://shop.test/c'],
    // The page itself, one that is out of scope, and nonsense.
    ['<link rel=canonical href="/a?x=1&utm_source=y">', {}, undefined],
    ['<link rel=canonical href=http://else.test/a>', {}, undefined],
    ['<link rel=canonical href=mailto:x>', {}, undefined],
    ['<link rel=stylesheet href=/a>', {}, undefined],
  ])('of %s %j is %s', (head, headers, expected) => {
    expect(canonicalOf(head, headers)).toBe(expected)
  })

  test('is not looked for unless the job wants it', () => {
    expect(canonicalOf('<link rel=canonical href=/a>', {}, 'ignore')).toBeUndefined()
  })
})

describe('what pages say', () => {
  const long = 'These are some words that a reader sees. '.repeat(10)
  const contentOf = (html: string) => read(html, { sameContent: 'skip' }).content

  test('is the same whatever the tags, scripts and blanks are', () => {
    const one = contentOf(`<title>T</title><p>${long}</p><script>var s = 1</script><a href="?sid=1">x</a>`)
    expect(one).toBeDefined()
    expect(
      contentOf(`<title>T</title>\n<div><b>${long}</b></div><script>var s = 2</script><a href="?sid=2">x</a>`),
    ).toBe(one)
    expect(contentOf(`<title>T</title><p>${long} 2</p>`)).not.toBe(one)
  })

  test('is all of the source where there is hardly anything to read', () => {
    expect(contentOf('<div id=app></div><script>load(1)</script>')).not.toBe(
      contentOf('<div id=app></div><script>load(2)</script>'),
    )
  })

  test('of a row is the same where only numbers differ, and is told of rows alone', () => {
    const rowOf = (text: string, url: string) => read(`<p>${text}</p>`, { traps: { perPattern: 10 } }, {}, url).row
    expect(rowOf(`${long} page 1`, 'http://shop.test/l?p=1')).toBe(rowOf(`${long} page 27`, 'http://shop.test/l?p=27'))
    expect(rowOf(`${long} page 1`, 'http://shop.test/l?p=1')).not.toBe(rowOf(`${long} end`, 'http://shop.test/l?p=27'))
    expect(rowOf(long, 'http://shop.test/l')).toBeUndefined()
  })

  test('of a row is that of the first million characters', () => {
    const rowOf = (text: string) =>
      read(`<p>${text}</p>`, { traps: { perPattern: 10 }, bodyBytes: 2_000_000 }, {}, 'http://shop.test/l?p=1').row
    const first = 'all work and no play '.repeat(50_000)
    expect(rowOf(`${first} behind it`)).toBe(rowOf(`${first} something else`))
    expect(rowOf(`${first.slice(100_000)} behind it`)).not.toBe(rowOf(`${first.slice(100_000)} something else`))
  })
})

describe('follow rules', () => {
  const rule = {
    ...pageRule('list', { follow: ['a.p', 'a'] }),
    followRules: [
      { match: '/p/*', page: 'product', priority: 5 },
      { match: null, page: null, priority: null },
    ],
  }
  const html = '<a class=p href=/p/1>1</a><a class=p href=/q/1>2</a><a href=/p/2>3</a><a href=/x>4</a>'

  test.each(['fast', 'browser'] as const)('say which links, what reads them, and how soon (%s)', parser => {
    const own = { ...rule, parser }
    const others = [
      { ...pageRule('other', { match: '/p/*', item: { t: 'h1' } }), priority: 2 },
      pageRule('product', { item: { t: 'h1' } }),
    ]
    const stage = createStage(stageRules([own, ...others]), () => 0)
    const reply = parsed(stage.run(parseRequest(html, { page: 'list' })))
    expect(reply.links.map(({ url, page: name, priority }) => [new URL(url).pathname, name, priority])).toEqual([
      ['/p/1', 'product', 5],
      ['/q/1', 'list', undefined],
      ['/p/2', 'list', undefined],
      ['/x', 'list', undefined],
    ])
    expect(linesOf(reply)).toEqual([])
  })

  test('the priority of a page rule is that of its links', () => {
    const stage = createStage(
      stageRules([
        pageRule('list', { match: '/a', follow: ['a'] }),
        { ...pageRule('p', { match: '/p/*' }), priority: 3 },
      ]),
      () => 0,
    )
    const reply = parsed(stage.run(parseRequest(html, { page: 'list' })))
    expect(reply.links.map(({ priority }) => priority)).toEqual([3, 3])
  })
})
