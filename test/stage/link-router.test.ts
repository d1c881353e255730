import { describe, expect, test } from 'vitest'
import type { FollowRule } from '../../src/extract/page-rule.ts'
import { createStage, type StageRules } from '../../src/stage/stage.ts'
import { bytesOf, pageRule, parsed, parseRequest, stageRules } from './requests.ts'

const anchors = (...hrefs: readonly string[]): string => hrefs.map(href => `<a href="${href}">x</a>`).join('')
const list = pageRule('list', { match: '/list', follow: ['a'] })
const product = pageRule('product', { match: '/p/*' })

const read = (html: string, more: Partial<StageRules> = {}, pages = [list, product]) =>
  createStage(stageRules(pages, more), () => 0).run(parseRequest(html, { page: 'list' }))

describe('links that fit no page rule', () => {
  test('do not vanish without a word: they are counted, with the first as an example', () => {
    const reply = parsed(read(anchors('/p/1', '/old', '/old?b=1&a=2', '/old?a=2&b=1#x', '/old')))
    expect(reply.links.map(({ url }) => url)).toEqual(['http://shop.test/p/1'])
    expect(reply.unrouted).toEqual({ count: 2, example: 'http://shop.test/old' })
  })

  test('are none where they are out of scope, or lead to no page at all', () => {
    expect(parsed(read(anchors('/p/1', 'http://else.test/old', 'mailto:a@shop.test')))).not.toHaveProperty('unrouted')
  })

  test('are not counted where another selector names the rule that reads them', () => {
    const follow = ['a', 'a[href="/old"]']
    const ruleOf = (page: string | null): FollowRule => ({ match: null, page, priority: null })
    const chosen = { ...list, follow, followRules: [ruleOf(null), ruleOf('product')] }
    const reply = parsed(read(anchors('/old', '/older'), {}, [chosen, product]))
    expect(reply.links.map(({ url }) => url)).toEqual(['http://shop.test/old'])
    expect(reply.unrouted).toEqual({ count: 1, example: 'http://shop.test/older' })
  })

  test('are counted of a page that lacks a required field, too', () => {
    const strict = pageRule('list', {
      match: '/list',
      item: { name: { selector: 'h1', required: true } },
      follow: ['a'],
    })
    expect(read(anchors('/old'), {}, [strict])).toMatchObject({
      kind: 'faulted',
      unrouted: { count: 1, example: 'http://shop.test/old' },
    })
  })

  test('are not counted of a page that asks not to be followed', () => {
    const html = `<meta name=robots content=nofollow>${anchors('/old')}`
    expect(parsed(read(html, { nofollow: 'obey' })).unrouted ?? null).toBeNull()
  })

  test('are counted of sitemaps', () => {
    const stage = createStage(
      stageRules([product], { sitemaps: [{ name: 'sitemap', since: null, page: null }] }),
      () => 0,
    )
    const text = 'http://shop.test/p/1\nhttp://shop.test/old\nhttp://else.test/old\nhttp://shop.test/older\n'
    const where = { askedUrl: 'http://shop.test/sitemap.txt', finalUrl: 'http://shop.test/sitemap.txt' }
    const reply = parsed(
      stage.run(parseRequest(bytesOf(text), { ...where, page: 'sitemap', contentType: 'text/plain' })),
    )
    expect(reply.unrouted).toEqual({ count: 2, example: 'http://shop.test/old' })
  })
})
