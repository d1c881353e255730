import { describe, expect, test } from 'vitest'
import { createStage } from '../../src/stage/stage.ts'
import { pageRule, parseRequest, stageRules } from './requests.ts'

/** To a browser, what stands in a table beside its cells stands before the table. */
const html = '<h1>One</h1><table id=t><tr><td>1</td></tr><p class=price>2</p></table>'
const product = pageRule('product', { item: { title: 'h1', rows: { selector: '#t', value: 'textContent' } } })

let cpuMs = 0
const stageOf = (audit: number, rule = product) => createStage(stageRules([rule], { audit }), () => cpuMs++)
const at = (index: number) => ({ askedUrl: `http://shop.test/p/${index}?b=1&a=2` })
const audited = (audit: number, count: number) => {
  const stage = stageOf(audit)
  const indices = Array.from({ length: count }, (_, index) => index)
  return indices.filter(index => stage.run(parseRequest(html, at(index))).audit !== undefined)
}

describe('an audit', () => {
  test.each(['fast', 'browser'] as const)('tells where the values of the parsers differ, whichever %s is', parser => {
    const reply = stageOf(1, { ...product, parser }).run(parseRequest(html, at(1)))
    expect(reply.audit).toEqual({
      page: 'product',
      url: at(1).askedUrl,
      cpuMs: 1,
      differences: [{ path: 'item.rows', fast: '"12"', browser: '"1"' }],
    })
    expect(reply.cpuMs).toBeGreaterThan(1)
  })

  test('changes nothing of the reply', () => {
    const { audit, cpuMs: _, ...reply } = stageOf(1).run(parseRequest(html))
    const { cpuMs: __, ...plain } = stageOf(0).run(parseRequest(html))
    expect(audit).toBeDefined()
    expect(reply).toEqual(plain)
  })

  test('looks at its part of the pages, and at the same ones each time', () => {
    const pages = audited(0.1, 1_000)
    expect(pages.length).toBeGreaterThan(60)
    expect(pages.length).toBeLessThan(140)
    expect(audited(0.1, 1_000)).toEqual(pages)
    expect(audited(0.2, 1_000)).toEqual(expect.arrayContaining(pages))
  })

  test('takes two spellings of a URL for one', () => {
    const isAudited = (askedUrl: string) => stageOf(0.5).run(parseRequest(html, { askedUrl })).audit !== undefined
    for (let index = 0; index < 20; index += 1)
      expect(isAudited(`http://shop.test/p/${index}?a=2&b=1#x`)).toBe(isAudited(at(index).askedUrl))
  })

  test('asks nothing of a job without one', () => {
    expect(audited(0, 50)).toEqual([])
    expect(createStage(stageRules([product]), () => 0).run(parseRequest(html)).audit).toBeUndefined()
  })

  test('tells of a page that fails for the want of a field, too', () => {
    const rule = pageRule('product', { item: { price: { selector: 'table > p', required: true } } })
    const reply = stageOf(1, { ...rule, parser: 'browser' }).run(parseRequest(html))
    expect(reply).toMatchObject({
      kind: 'faulted',
      fault: { code: 'FIELD_MISSING' },
      audit: { differences: [{ path: 'item.price', fast: expect.stringContaining('"2"'), browser: 'null' }] },
    })
  })

  test.each([
    ['nests too deep', '<div>'.repeat(30_000)],
    ['opens more formatting than it closes', '<p><font size=1>'.repeat(20_000)],
    ['has too many attributes', `<p ${Array.from({ length: 50_000 }, (_, index) => `a${index}`).join(' ')}>`],
    ['is too long', `<p>${'x'.repeat(2_100_000)}`],
  ])('leaves a page alone that %s for the rules of a browser', (_, page) => {
    const reply = createStage(stageRules([product], { audit: 1, bodyBytes: 10e6 }), () => 0).run(parseRequest(page))
    expect(reply).toMatchObject({ kind: 'parsed', audit: { differences: null } })
  })
})
