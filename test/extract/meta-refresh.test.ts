import { describe, expect, test } from 'vitest'
import { metaRefreshOf } from '../../src/extract/meta-refresh.ts'

const page = 'http://a.test/dir/page'
const refresh = (content: string): string => `<html><head><meta http-equiv="refresh" content="${content}"></head>`

describe('a refresh leads on', () => {
  for (const [content, url] of [
    ['0; url=/next', 'http://a.test/next'],
    ['0;URL=next', 'http://a.test/dir/next'],
    ["5; url='/next'", 'http://a.test/next'],
    ['0; url=&quot;/next&quot;; x', 'http://a.test/next'],
    ['0, /next', 'http://a.test/next'],
    ['0 /next', 'http://a.test/next'],
    ['0.9; url = /next', 'http://a.test/next'],
    [' 1 ; url=//b.test/?a=1&amp;b=2#c', 'http://b.test/?a=1&b=2'],
    ['0; url=https://a.test/dir/page', 'https://a.test/dir/page'],
  ] as const)
    test(content, () => expect(metaRefreshOf(refresh(content), page)).toBe(url))

  test('in any case of letters, without quotes, without a head', () => {
    expect(metaRefreshOf('<META HTTP-EQUIV=Refresh CONTENT=0;URL=/next>', page)).toBe('http://a.test/next')
  })
})

describe('a page is there to be read', () => {
  for (const [name, html] of [
    ['that has no refresh', '<title>x</title>'],
    ['that reloads itself', refresh('5')],
    ['that reloads itself by its name', refresh(`0; url=${page}#top`)],
    ['that stays for a while', refresh('30; url=/next')],
    ['that runs a script', refresh('0; url=javascript:alert(1)')],
    ['that leads to no URL', refresh('0; url=http://[bad')],
    ['whose refresh is no delay', refresh('soon; url=/next')],
    ['whose refresh is empty', refresh('')],
    ['whose refresh has no delay', refresh(' /next')],
    ['whose refresh is endless', refresh(`0${' '.repeat(50_000)}${'0 '.repeat(20_000)}`).replace('content', 'x')],
    ['whose refresh is for those without scripts', `<noscript>${refresh('0; url=/next')}</noscript>`],
    ['whose refresh is in a comment', `<!-- ${refresh('0; url=/next')} -->`],
    ['whose refresh is in a script', `<script>'${refresh('0; url=/next')}'</script>`],
    ['whose refresh is in its body', `<body>${refresh('0; url=/next')}`],
    ['whose refresh is far down', `${' '.repeat(200_000)}${refresh('0; url=/next')}`],
  ] as const)
    test(name, () => expect(metaRefreshOf(html, page)).toBeNull())
})
