import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realPages } from '../../bench/pages.ts'
import { createPageViews } from '../../src/extract/stream/page-view.ts'
import { createScanner } from '../../src/extract/stream/scanner.ts'
import { brokenDocument } from './stream-documents.ts'
import { tokensOfScanner, tokensOfTokenizer } from './token-lines.ts'

/** Documents; FUZZ asks for more of them. */
const numRuns = Number(process.env.FUZZ ?? 4_000)
const limitMs = 30_000 + numRuns * 5

function expectSame(html: string, stopBehindTags?: number): void {
  const [ours, theirs] = [tokensOfScanner(html, stopBehindTags), tokensOfTokenizer(html, stopBehindTags)]
  if (ours.join('\n') !== theirs.join('\n')) expect({ html, ours }).toEqual({ html, ours: theirs })
}

/** What a tokenizer can stumble over, in small pieces. */
const pieces = [
  ...['<', '<', '>', '/', '</', '<a', '<a ', 'a', 'b', ' ', '\n', '\t', '\f', '\r', '\v', '=', '"', "'", '!', '?', '-'],
  ...['--', '<!--', '-->', '--!>', '<!', '<!-', '<!D', '<?', ']', ']]>', '[', '<![CDATA[', '<![CDA', 'CDATA[', '&amp;'],
  ...['<s', '<sc', '<st', '<script', '<SCRIPT>', '<scripT ', '<script/>', '</script', '</script>', '</ScRipt '],
  ...['<style>', '</style>', '<title', '<title>', '</title>', '</titl', '<textarea>', '</textarea>', '<xmp>', '</xmp>'],
  ...['<tmp>', '<xitle>', '<xextarea>', '<t', '<x', '<ti', '<table>', '<span>', '<div class="x">', '</div>', '<br/>'],
  ...['<br />', '</p x>', '</a/>', '<svg/>', "<i a='>'>", '<i a=b c>', '<i a = "b">', '<i a="', "<i a='"],
  ...['\0', '\x0f', '\x1c', '\x1f', '<\x1c', '\x1c/script>', '</\x1cscript>', 'é', '\u2603', '\ud800', '\u0130'],
]
const piece = fc.constantFrom(...pieces)
const soup = fc.oneof(
  fc.array(piece, { maxLength: 24, size: 'max' }),
  // Of few kinds, which meet more often.
  fc
    .array(piece, { minLength: 2, maxLength: 5 })
    .chain(few => fc.array(fc.constantFrom(...few), { maxLength: 16, size: 'max' })),
)
const anyDocument = fc.oneof(
  { arbitrary: soup.map(list => list.join('')), weight: 3 },
  { arbitrary: brokenDocument, weight: 1 },
)

const pages = realPages().map(bytes => new TextDecoder().decode(bytes))
/** A piece of a real page with other pieces in some places of it. */
const mutilatedPage = fc
  .tuple(
    fc.nat(pages.length - 1),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(20_000),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), piece, fc.nat(3)), { maxLength: 4 }),
  )
  .map(([nth, place, length, changes]) => {
    const page = pages[nth] ?? ''
    const start = Math.floor(place * page.length)
    return changes.reduce(
      (part, [where, added, removed]) => {
        const at = Math.floor(where * part.length)
        return part.slice(0, at) + added + part.slice(at + removed)
      },
      page.slice(start, start + length),
    )
  })

describe("the scanner tells what htmlparser2's Tokenizer tells", () => {
  test.each([
    '',
    '<',
    '</',
    '<a',
    '<s',
    '<script',
    '<scripx',
    '<tİ',
    '<a b="c"',
    '<a b="c"/',
    '<a b /',
    '</a ',
    '5 < 6 <7 << </> </ > x',
    '<a =b c==d e= f="g"h/i=/j k\0l>',
    '<a b=c"d e=>f</a/></a b=">"></ a>',
    '<!--><!---><!----><!--a--!>--><!-- -- >--->b<!--c',
    '<!><!a>b><!->c><!-d>e><![CDATA[f]]]>g<![cdata[h>i<![CDATA[j',
    '<?a?>b</?c></1d><!',
    '<script>a</scrip></script/></script\x1c</ScRiPt >b<script/>c</script>',
    '<title><&amp;</titlex></title\n>a<xitle>b</title><tmp></tmp></xmp><xextarea></textarea>',
    '<style>a<\x0fstyle></\x1cstyle>\x1c/style></style b',
    '<script>\x1c\x0fscript>',
    '<title>a\x1c/title>b',
  ])('of %j', html => {
    for (let stop = -1; stop < 8; stop += 1) expectSame(html, stop)
    for (let end = 0; end < html.length; end += 1) expectSame(html.slice(0, end))
  })

  test(
    `of any document, also where reading is stopped (${numRuns} cases)`,
    () => {
      fc.assert(
        fc.property(anyDocument, fc.integer({ min: -12, max: 8 }), (html, stop) => expectSame(html, stop)),
        { numRuns },
      )
    },
    limitMs,
  )

  test('of real pages', () => {
    for (const [nth, html] of pages.entries()) if (nth % 8 === 3) expectSame(html)
  })

  test(
    'of pieces of real pages with something else in some places',
    () => {
      fc.assert(
        fc.property(mutilatedPage, html => expectSame(html)),
        { numRuns: Math.ceil(numRuns / 10) },
      )
    },
    limitMs,
  )
})

const viewOf = createPageViews().ofText

test('an end tag is told with the place where it begins, whatever stands before its name', () => {
  const opens: number[] = []
  const ignore = (): void => {}
  const scanner = createScanner({
    text: ignore,
    tagNamed: () => false,
    attribute: ignore,
    tagEnded: ignore,
    endTag: open => opens.push(open),
    note: ignore,
  })
  scanner.read(viewOf('<p>a</p></ \n p><script>b<</script>'))
  expect(opens).toEqual([4, 8, 25])
})

test('attributes that nobody asks for are passed over, and those of the next tag are told', () => {
  const told: string[] = []
  const ignore = (): void => {}
  const html = '<a b="c>" d=\'e\' f=g h><i j=k>'
  createScanner({
    text: ignore,
    tagNamed: start => html[start] === 'i',
    attribute: (...places) => told.push(html.slice(places[0], places[3])),
    tagEnded: ignore,
    endTag: ignore,
    note: ignore,
  }).read(viewOf(html))
  expect(told).toEqual(['j=k'])
})

test('reading stops at an attribute, too', () => {
  let attributes = 0
  const ignore = (): void => {}
  const scanner = createScanner({
    text: ignore,
    tagNamed: () => true,
    attribute() {
      attributes += 1
      if (attributes === 2) scanner.stop()
    },
    tagEnded: ignore,
    endTag: ignore,
    note: ignore,
  })
  scanner.read(viewOf(`<a ${'b=c '.repeat(1_000)}>`))
  expect([attributes, scanner.isStopped()]).toEqual([2, true])
  scanner.read(viewOf('<a b=c>'))
  expect([attributes, scanner.isStopped()]).toEqual([3, false])
})
