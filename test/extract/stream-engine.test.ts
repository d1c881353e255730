import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const url = 'http://shop.test/a/b'
const ruleOf = (item: unknown, follow: readonly string[] = []): PageRule => ({
  name: 'any',
  match: null,
  item: item === null ? null : checkItem(item, 'item'),
  follow,
  parser: 'fast',
})

/** What is below what, and in which attributes and texts: any difference of two trees shows in it. */
const everything = {
  whole: { value: 'textContent' },
  shown: { value: 'innerText' },
  all: [
    {
      selector: '*',
      value: {
        name: { value: 'tagName' },
        text: { value: 'textContent' },
        shown: { value: 'innerText' },
        inner: { value: 'innerHTML' },
        outer: { value: 'outerHTML' },
        class: { value: 'class' },
        value: { value: 'value' },
        children: [{ selector: '> *', value: 'tagName' }],
      },
    },
  ],
  afterLink: [{ selector: 'a + *', value: 'tagName' }],
}

describe('htmlparser2 reads it in its own way, and so do the tokens', () => {
  test.each([
    ['an end tag of a paragraph that was never opened', 'a</p>b</P class=x>c'],
    ['an end tag of a line break', 'a</br>b<p>c</br></p>'],
    ['elements without content, and their end tags', '<img class=x></img><br/>a<input value=1>b</input><command>c'],
    ['implied ends', '<ul><li>1<li>2<p>3<p>4<div>5</ul><table><tr><td>6<td>7<tr><th>8<th>9</table>'],
    ['implied ends that stop at what is between', '<li>1<b>2<li>3</b><p>4<i>5<p>6'],
    ['implied ends of forms', '<select><option>1<option>2<optgroup>3<option>4<input>5<button>6<select>7'],
    ['a body ends the head and its scripts', '<head><link class=x><script>a</script><title>t</title><body>b'],
    ['end tags in the wrong order', '<b><i>1</b>2</i>3<div><p>4</div>5</p>6'],
    ['what is never closed', '<div><span>1<b>2'],
    ['foreign elements end by themselves', '<svg><g/><path class=x />a</svg><g/>b<div/>c'],
    ['an empty <svg/> leaves its rules behind', '<svg/><div/>a<p/>b</svg><div/>c'],
    ['HTML inside foreign elements', '<svg><desc><p/>a</desc><foreignObject><div/>b</foreignObject><g/>c</svg>'],
    ['a title ends foreign rules even where it is outside', '<svg></title><g/>a</svg><math><mi/>b</math>'],
    ['raw text', '<script>a<b>c</b>&amp;</script><style><p>x</style><textarea><i>&lt;</textarea><xmp><u></xmp>'],
    ['a script that is never closed', '<p>a<script>b</p>'],
    ['a script with an end tag of another case, and attributes', '<SCRIPT class=x>a</scripty></ScRiPt\n>b'],
    ['what the tokenizer takes for raw text', '<tmp>a<b>c</b></tmp>d</xmp>e<xitle>&amp;<b></title>f'],
    ['a self-closed script is no script', '<script/>a<b>c</b></script>d<style / ><i>e</i></style>f'],
    [
      'a title decodes references, but not everywhere',
      '<title>&amp;<&amp;</t&amp;</titl&amp;</titlex&amp;</title>&lt;',
    ],
    ['references', 'a&amp;b&ampc&notit;&notin;&#65;&#x42&#0;&#x110000;&#xD800;&;&#;&#x;&unknown;&&amp;'],
    ['references at the end of the page', 'a &am'],
    ['references that end the page', 'a &amp'],
    ['references in attributes', '<a class="&amp;&amp=&ampx&amp" value=&lt;&ltx>a</a><b class=\'&quot;"\'>b'],
    ['attributes without quotes', '<a class=x/y value=a"b\'c>1</a><a class= x value = y>2'],
    ['attributes without value, twice, and in capitals', '<a class CLASS=x>1</a><a Value=A value=B>2</a><a value>3'],
    ['names of attributes that objects know', '<p __proto__=x constructor=y class=z>a'],
    ['odd names of attributes', '<a =x class=y>1</a><a "class=x>2</a><a/class=x/value=y>3</a><a class=x class>4'],
    ['comments', 'a<!-- <b>x</b> -->b<!-->c<!--->d<!-- e --->f<!--->g'],
    ['a comment that is never closed', 'a<!-- b <p>c'],
    ['declarations and processing instructions', '<!DOCTYPE html>a<?xml version="1"?>b<!x>c<!>d<?>e'],
    ['CDATA is a comment', 'a<![CDATA[<b>x</b>]]>b<svg><![CDATA[c]]></svg><![CDATA[d'],
    ['what begins like a tag and is none', '5 < 6 <3 <<b>a</ b>c</3 d>e</>f< /b>'],
    ['names of other letters', '<li\u212a class=x>a</lik>b<x-\u00c9>c</x-\u00e9>d<a\u0131b:c.d>e</A\u0131B:C.D>f'],
    ['white space of all kinds', '<p\n\fclass\t=\r"x\u00a0y">\u00a0a\u2003b\ufeff</p\n>'],
    ['null characters', 'a\0b<p\0c class=\0>d</p\0c>'],
    ['letters beyond the first plane', '<p class="\u{1f600}">\u{1f600}&#x1f600;</p>\ud83d'],
    ['markup of foreign elements', '<svg><g a=1/><path b><circle/></path></svg><svg/><p/>a</svg>b<p/>c'],
    ['markup of HTML inside of SVG, which is left to the tree', '<svg><desc><b/>a<i>c</desc><g/><svg><g/></svg></svg>'],
    ['markup by numbers, in another order', '<p b=1 2=c 1=d B=e __proto__=f>a'],
    ['nothing', ''],
    ['white space alone', ' \n '],
    ...[
      '<',
      '</',
      '</a',
      '</a ',
      '</a x',
      '<a',
      '<a ',
      '<a /',
      '<a b',
      '<a b=',
      '<a b="c',
      '<a b=c',
      '<!',
      '<!-',
      '<!--',
    ].map((end): [string, string] => [`a page that ends with ${end}`, `<p>a &amp; ${end}`]),
    ...['<!x &amp;', '<?x &amp;', '</3 &amp;', '</  &amp;', '<![CDA &amp;', '<s', '<sc', '<title', '<scrip', '&#6'].map(
      (end): [string, string] => [`a page that ends with ${end}`, `<p>a ${end}`],
    ),
    ...['<title>&amp;</tit', '<title>&amp;<&amp;', '<title>&am', '<textarea>&amp;</te', '<script>&amp;<'].map(
      (end): [string, string] => [`raw text that ends with ${end}`, `<p>a ${end}`],
    ),
  ])('%s', (_, html) => {
    const { readLength, ...stream } = createStreamEngine(ruleOf(everything, ['a'])).read({ html, url, wantLinks: true })
    expect(stream).toEqual(createTreeEngine(ruleOf(everything, ['a'])).read({ html, url, wantLinks: true }))
    expect(readLength).toBe(html.length)
  })
})

describe('groups', () => {
  test.each([
    ['a scope counts as the first of a selector', '<ul class=x><li><a>1</a></ul>', 'ul', 'ul a, .x li'],
    ['but what is outside does not', '<div class=x><p><b>1</b></p></div>', 'p', '.x b'],
    [
      'unless the scope is at the top, where siblings before it count',
      '<i class=x></i><p><b>1</b></p>',
      'p',
      '.x + p b',
    ],
    ['and below an element they do not', '<div><i class=x></i><p><b>1</b></p></div>', 'p', '.x + p b'],
    ['scopes inside of scopes', '<div>1<div>2<b>3</b><div>4<b>5</b></div></div></div>', 'div', '> div > b'],
    ['siblings inside', '<dl><dt>1<dd>2<dd>3<dt>4<dd>5</dl>', 'dl', '> dt + dd'],
    ['a scope that fits twice', '<p class=x><b>1</b></p>', 'p, .x', 'b, p > b'],
  ])('%s', (_, html, selector, inner) => {
    const rule = ruleOf({ all: [{ selector, value: { inner: [inner], first: inner } }] })
    const { item } = createStreamEngine(rule).read({ html, url, wantLinks: false })
    expect(item).toEqual(createTreeEngine(rule).read({ html, url, wantLinks: false }).item)
  })
})

describe('reading stops as soon as all is settled', () => {
  const read = (html: string, rest: string, item: unknown, follow: readonly string[] = []) => {
    const page = html + rest
    const rule = ruleOf(item, follow)
    const reading = createStreamEngine(rule).read({ html: page, url, wantLinks: follow.length > 0 })
    expect(reading.item).toEqual(createTreeEngine(rule).read({ html: page, url, wantLinks: false }).item)
    return { ...reading, isStopped: reading.readLength <= html.length }
  }
  const body = `<p>text <a href=x>more</a></p>`.repeat(2_000)

  test('when the first match of each field has ended', () => {
    expect(read('<title>a</title><h1>b <i>c</i></h1>', body, { title: 'title', h1: 'h1' }).isStopped).toBe(true)
  })

  test('not before the end of a match, whose text is still to come', () => {
    const { item, isStopped } = read('<title>a</title>', `<h1>b${body}</h1>c`, { title: 'title', h1: 'h1' })
    expect(isStopped).toBe(false)
    expect(item).toMatchObject({ h1: expect.stringMatching(/^b.*more$/) })
  })

  test('at an attribute, which needs no end', () => {
    expect(read('<link rel=canonical href=/a>', body, { at: { selector: 'link', value: 'href' } }).isStopped).toBe(true)
  })

  test('when what is missing does not come: the head is read, and the rest is only looked over', () => {
    const head = '<head><title>a</title></head><body>'
    const item = { title: 'title', description: { selector: 'meta[name=description]', value: 'content' } }
    expect(read(head, body, item)).toMatchObject({ isStopped: true, item: { description: null } })
    expect(read(head, `${body}<META name=description content=b>${body}`, item)).toMatchObject({
      isStopped: false,
      item: { description: 'b' },
    })
    expect(
      read(head, `${body}<lin\u212a class=x>`, { title: 'title', link: { selector: 'link', value: 'class' } }),
    ).toMatchObject({
      isStopped: false,
      item: { link: 'x' },
    })
  })

  test('a list is complete when no more of its elements come', () => {
    const reading = read('<body><h2>a</h2><h2>b</h2>', body, { all: ['h2'] })
    expect(reading.item).toEqual({ all: ['a', 'b'] })
    expect(reading.readLength).toBeLessThan(2_000)
  })

  test('a tag that implies an end is still seen', () => {
    const pad = 'x'.repeat(1_000)
    expect(
      read(`<body><div>1</div>${pad}<p>`, '<div>2', { all: [{ selector: 'div', value: 'textContent' }] }),
    ).toMatchObject({
      item: { all: [`1`, '2'] },
    })
  })

  test('paragraphs and line breaks may come without being written', () => {
    expect(
      read('<body><i>a</i>', `${'<i></i>'.repeat(500)}</p>`, { all: [{ selector: 'p', value: 'tagName' }] }).item,
    ).toEqual({
      all: ['P'],
    })
  })

  test('a URL that is relative waits for a <base>, as long as one can come', () => {
    const item = { next: { selector: 'a', type: 'url' } }
    expect(read('<body><a href=b>', `${body}<base href=/c/>`, item).item).toEqual({ next: 'http://shop.test/c/b' })
    expect(read('<body><a href=b>', body, item)).toMatchObject({
      isStopped: true,
      item: { next: 'http://shop.test/a/b' },
    })
    expect(read('<body><a href="http://h.test/x">', `${body}<base href=/c/>`, item)).toMatchObject({
      isStopped: true,
      item: { next: 'http://h.test/x' },
    })
  })

  test('links keep it reading, and a page of which nothing is wanted is not read at all', () => {
    expect(read('<title>a</title>', body, { title: 'title' }, ['a'])).toMatchObject({ isStopped: false })
    const nothing = createStreamEngine(ruleOf(null, ['a'])).read({ html: body, url, wantLinks: false })
    expect(nothing).toEqual({ item: null, items: [], missing: [], links: [], baseUrl: url, readLength: 0 })
  })
})

describe('pages of any size', () => {
  const map = {
    deep: 'b',
    all: { selector: 'div', value: 'textContent' },
    descendant: 'div.a b',
    child: { selector: '.a > b', value: 'innerText' },
    sibling: ['i + b'],
    group: { selector: 'div', value: { inner: 'b', child: { selector: '> div', value: 'class' } } },
    classes: [{ selector: 'div:first-child', value: 'class' }],
  }

  test('one that nests 100,000 deep is read like any other, and in no time', () => {
    const depth = 100_000
    const html = `${'<div class="a">'.repeat(depth)}<i></i><b>deep</b>${'</div></u>'.repeat(depth)}`
    const { item } = createStreamEngine(ruleOf(map, ['a'])).read({ html, url, wantLinks: true })
    expect(item).toEqual({
      deep: 'deep',
      all: 'deep',
      descendant: 'deep',
      child: 'deep',
      sibling: ['deep'],
      group: { inner: 'deep', child: 'a' },
      classes: Array.from({ length: depth }, () => 'a'),
    })
  }, 10_000)

  test('none stays in memory, nor do names that only it uses', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const engine = createStreamEngine(
      ruleOf({ rows: [{ selector: 'li', value: { link: '> a', own: { value: 'text' } } }], any: 'ul li a' }, [
        'li > a',
      ]),
    )
    const page = (index: number): string =>
      `<ul>${`<li class="x">item ${index} <a href="/${index}">more</a></li>`.repeat(4_000)}</ul><x-${'long'.repeat(9)}-${index}>`
    const heldBytes = (): number => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const readTen = (): void => {
      for (let index = 0; index < 10; index += 1) engine.read({ html: page(index), url, wantLinks: true })
    }
    readTen()
    const beforeBytes = heldBytes()
    readTen()
    expect(heldBytes() - beforeBytes).toBeLessThan(1_000_000)
  })

  const hugeBytes = process.env.FUZZ === undefined ? 10_000_000 : 50_000_000

  test(`reading one of ${hugeBytes / 1e6} MB takes less than three times its size`, () => {
    const body = Buffer.alloc(hugeBytes, '<div class="row"><p>a b</p> <i>c</i><a href="/x">more of it</a></div>\n')
    body.write('<title>t</title><main>', 0)
    const html = body.toString('latin1')
    const item = {
      title: 'title',
      whole: { selector: 'main', value: 'innerText' },
      last: ['p.none'],
      at: ['div div b'],
    }
    const bytes = (): number => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const engine = createStreamEngine(ruleOf(item))
    // With all that is no longer used, but for what has been collected meanwhile: the least of some readings says most.
    const tookBytes = Array.from({ length: 3 }, () => {
      const beforeBytes = bytes()
      const reading = engine.read({ html, url, wantLinks: false })
      const took = bytes() - beforeBytes
      expect(String(reading.item?.whole).length).toBeGreaterThan(hugeBytes / 5)
      return took
    })
    expect(Math.min(...tookBytes)).toBeLessThan(3 * html.length)
  }, 60_000)
})
