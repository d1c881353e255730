import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createPageViews } from '../../src/extract/stream/page-view.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'

const item = checkItem(
  {
    text: { selector: 'p', value: 'textContent' },
    keys: [{ selector: 'a', value: 'data-key' }],
    link: { selector: 'link', value: 'href' },
  },
  'item',
)
const engine = createStreamEngine({ name: 'any', match: null, item, follow: [], parser: 'fast' })
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
const read = (utf8: Uint8Array, html = new TextDecoder().decode(utf8)) =>
  engine.read({ html, utf8, url: 'http://shop.test/', wantLinks: false }).item

describe('a page in UTF-8 that is read as bytes', () => {
  test('gives its texts and values decoded', () => {
    expect(read(bytesOf('<p>caf\u00e9 <b>\u65e5\u672c</b> \ud83d\ude00 &eacute;<a data-key="\u00fc">'))).toEqual({
      text: 'caf\u00e9 \u65e5\u672c \ud83d\ude00 \u00e9',
      keys: ['\u00fc'],
      link: null,
    })
  })

  test('is not asked for its text', () => {
    const request = {
      get html(): string {
        throw new Error('nobody needs it')
      },
      utf8: bytesOf('<p>\u65e5\u672c</p>'),
      url: 'http://shop.test/',
      wantLinks: true,
    }
    expect(engine.read(request).item).toMatchObject({ text: '\u65e5\u672c' })
  })

  test('has U+FFFD where its bytes are broken, as many as in its text, and a mark inside stays', () => {
    const broken = Buffer.from('3c703ee284c3f09f98efbbbfff61c03c2f703e', 'hex')
    expect(read(broken)).toMatchObject({ text: '\ufffd\ufffd\ufffd\ufeff\ufffda\ufffd' })
  })

  test('may spell names with the Kelvin sign, which is a "k" in lower case', () => {
    expect(read(bytesOf('<a data-\u212aey=1><LIN\u212a href=/x>'))).toMatchObject({ keys: ['1'], link: '/x' })
  })

  test('may end inside of an end tag, whose last character is text then', () => {
    expect(read(bytesOf('<p>a</b \u00e9'))).toMatchObject({ text: 'a\u00e9' })
  })
})

describe('names', () => {
  const readWith = (fields: unknown, html: string) =>
    createStreamEngine({ name: 'any', match: null, item: checkItem(fields, 'item'), follow: [], parser: 'fast' }).read({
      html,
      utf8: bytesOf(html),
      url: 'http://shop.test/',
      wantLinks: false,
    }).item

  test.each([
    ['x-\u00e9', '<X-\u00c9>found</x-\u00e9>'],
    ['xi\u0307', '<X\u0130>found</xi\u0307>'],
    ['x-\ud83d\ude00', '<x-\ud83d\ude00>found</x-\ud83d\ude00>'],
  ])('of an element that have more than ASCII (%s) are found in the body, too', (name, element) => {
    const body = `<title>a</title><body><p>b<div>c</div>${element}.`
    expect(readWith({ title: 'title', wanted: name }, body)).toEqual({ title: 'a', wanted: 'found' })
  })

  test('of attributes are told apart where a rule asks for many of one length', () => {
    const names = Array.from({ length: 40 }, (_, nth) => `data-${nth + 10}`)
    const fields = Object.fromEntries(names.map(value => [value, { selector: 'p', value }]))
    const html = `<p data-99=no ${names.map(name => `${name.toUpperCase()}="\u00e9${name}"`).join(' ')}>.`
    expect(readWith(fields, html)).toEqual(Object.fromEntries(names.map(name => [name, `\u00e9${name}`])))
  })
})

test('a view keeps what it was made of when the next one is made', () => {
  const views = createPageViews()
  const first = views.ofUtf8(bytesOf('<p>one'), () => '')
  const second = views.ofText('<p>two')
  expect([first.slice(3, 6), second.slice(3, 6)]).toEqual(['one', 'two'])
})

test('behind the last number of a page there is a ">", whatever the page before was', () => {
  const views = createPageViews()
  for (const html of ['<p>a long page', '', '<p', '\ud800', '<\u65e5']) {
    expect(views.ofText(html).codes.at(-1)).toBe(62)
    expect(views.ofText(html).codes).toHaveLength(html.length + 1)
  }
  expect(views.ofUtf8(bytesOf('<p'), () => '').codes.at(-1)).toBe(62)
})
