import fc from 'fast-check'
import { anyDocument } from './documents.ts'

/**
 * Documents made of what a tokenizer can stumble over, and schemas that stream: selectors look at names, attributes,
 * ancestors and earlier siblings only.
 */

const tags =
  'div p span b a pre ul li table thead tbody tr th td h1 section br img form dl dt dd ruby rt select option input button body head link base'.split(
    ' ',
  )
const oddTags =
  'svg g title math mi desc foreignObject script style textarea xmp tmp xitle template noscript command bgsound my-tag MY-tag liN\u212a'.split(
    ' ',
  )
/** What selectors ask for, too: or they would find nothing most of the time. */
const commonTags = 'div div p p a b li span'.split(' ')
const anyTag = fc.oneof(
  { arbitrary: fc.constantFrom(...commonTags), weight: 14 },
  { arbitrary: fc.constantFrom(...tags), weight: 5 },
  { arbitrary: fc.constantFrom(...oddTags), weight: 2 },
)

const value = fc.constantFrom(
  'x',
  'y',
  '"x y"',
  "'z\tx'",
  '"X"',
  '""',
  '/a',
  '"/b?c=1&amp;d=2"',
  "'&quot;&copy'",
  '&ampx=1',
  '"&amp=1 &notit; &#x41;&#0"',
  '"http://h.test/a b"',
  '"a<b>c"',
  'a/b',
  '"\u00a0x\u00a0"',
  'nofollow',
  'radio',
)
const attributeName = fc.constantFrom(
  ...'class class class id id href src rel type value name data-n CLASS Href __proto__ constructor é'.split(' '),
)
const attribute = fc.oneof(
  { arbitrary: fc.constantFrom('class=x', 'class=y', 'class="x y"', 'href=/a', 'id=x'), weight: 12 },
  { arbitrary: fc.tuple(attributeName, value).map(([name, text]) => `${name}=${text}`), weight: 5 },
  { arbitrary: fc.constantFrom('colspan=2', 'rowspan=2', 'rowspan=0', 'colspan="x"'), weight: 1 },
  { arbitrary: attributeName, weight: 1 },
  { arbitrary: fc.constantFrom('/', '=', '"', "a'b", 'class = y', '<', 'href="open'), weight: 1 },
)
const text = fc.constantFrom(
  ...[
    'one',
    ' two ',
    '\n\t',
    'a &amp; b',
    '&lt;i&gt;',
    '&nbsp;',
    '5 < 6',
    '&#x41',
    '&#65;B',
    '&notit;',
    '&amp',
    '&',
    '&#;',
  ],
  ...[
    '<&amp;',
    '</',
    '</>',
    '<3 &amp;',
    '</ &amp; x',
    '<!x &amp;',
    '<?php &lt; ?>',
    '<!--a &lt;-->',
    '<!-->',
    '<![CDATA[&lt;]]>',
  ],
  ...[
    '<!',
    '<s',
    '</title',
    '</titlex>&amp;',
    '</script ',
    '\u00a0',
    'é',
    '\ud83d\ude00',
    '&CounterClockwiseContourIntegral;',
    '<a /',
    '</p ',
  ],
)

const token = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        anyTag,
        fc.array(attribute, { maxLength: 3 }),
        fc.constantFrom('>', '>', '>', '>', '/>', ' />', ' / >', ''),
      )
      .map(([tag, attributes, end]) => `<${[tag, ...attributes].join(' ')}${end}`),
    weight: 7,
  },
  {
    arbitrary: fc.tuple(anyTag, fc.constantFrom('>', '>', '>', ' x>', '/>', '')).map(([tag, end]) => `</${tag}${end}`),
    weight: 4,
  },
  { arbitrary: text, weight: 4 },
)

/** Tables and lists of terms that are nearly whole. */
const cell = fc
  .tuple(
    fc.constantFrom('th', 'td', 'td'),
    fc.array(attribute, { maxLength: 1 }),
    text,
    fc.constantFrom('</td>', '</th>', ''),
  )
  .map(([name, attributes, inside, end]) => `<${[name, ...attributes].join(' ')}>${inside}${end}`)
const row = fc.array(cell, { maxLength: 4 }).map(cells => `<tr>${cells.join('')}`)
const table = fc
  .tuple(fc.constantFrom('', '<thead>', '<tbody>'), fc.array(row, { maxLength: 4 }), fc.constantFrom('</table>', ''))
  .map(([head, rows, end]) => `<table>${head}${rows.join(head === '<thead>' ? '</thead>' : '</tr>')}${end}`)
const term = fc.tuple(fc.constantFrom('dt', 'dd', 'dd', 'div'), text).map(([name, inside]) => `<${name}>${inside}`)
const terms = fc.array(term, { maxLength: 6 }).map(list => `<dl>${list.join('')}</dl>`)

/** What fields read of the page as a whole. */
const json = fc.constantFrom(
  ...[
    '{"@type":"A","n":1}',
    '{"@graph":[{"@type":"A","n":"x"},{"n":2}]}',
    '[{"n":[1,{"@type":"B"}]}]',
    '{"n":',
    '',
    '7',
  ],
  ...['{"n":"&amp;"}', '<!-- {"@type":"B"} -->', '{"n":"</p>"}', '{"n":null,}'],
)
const jsonType = fc.constantFrom('application/ld+json', '"application/LD+JSON; charset=utf-8"', 'application/json', 'x')
const block = fc
  .tuple(
    fc.constantFrom('script', 'script', 'SCRIPT', 'div'),
    jsonType,
    json,
    fc.constantFrom('</script>', '</script>', '</div>', ''),
  )
  .map(([name, type, inside, end]) => `<${name} type=${type}>${inside}${end}`)
const meta = fc
  .tuple(
    fc.constantFrom('property', 'property', 'name'),
    fc.constantFrom('og:title', 'og:image', 'og:image:width', '"og:title twitter:title"', 'description', 'article:tag'),
    fc.constantFrom('content=a', 'content="/i.png"', 'content=""', "content='a &amp; b'", ''),
  )
  .map(([name, property, content]) => `<meta ${name}=${property} ${content}>`)

/** Mostly as it should be, so that something is below something. */
const { nestedDocument } = fc.letrec<{ nestedDocument: string; node: string }>(tie => ({
  nestedDocument: fc.array(tie('node'), { minLength: 1, maxLength: 5 }).map(nodes => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof({ arbitrary: token, weight: 12 }, { arbitrary: fc.oneof(table, terms, block, block, meta), weight: 2 }),
    fc
      .tuple(fc.constantFrom(...commonTags), fc.array(attribute, { maxLength: 2 }), tie('nestedDocument'))
      .map(([name, attributes, inside]) => `<${[name, ...attributes].join(' ')}>${inside}</${name}>`),
  ),
}))

export const brokenDocument: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc.array(token, { minLength: 5, maxLength: 60, size: 'max' }).map(tokens => tokens.join('')),
    weight: 4,
  },
  { arbitrary: fc.array(nestedDocument, { minLength: 1, maxLength: 4 }).map(parts => parts.join('')), weight: 4 },
  { arbitrary: anyDocument, weight: 1 },
)

const tag = fc.oneof(
  { arbitrary: fc.constantFrom('', '', '*', ...commonTags), weight: 6 },
  {
    arbitrary: fc.constantFrom('td', 'my-tag', 'LINK', 'xmp', 'title', 'option', 'input', 'br', 'svg', 'h1'),
    weight: 1,
  },
)
const simple = fc.oneof(
  { arbitrary: fc.constantFrom('', '', '', '', '.x', '.y', '[href]', '[class]'), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      ...['#x', '.X', '[href^="/"]', '[data-n="x"]', '[class~=y]', '[class="X" i]', '[type=RADIO]', '[class!=x]'],
      ...['[class|=x]', '[href$="2"]', '[href*="?"]', '[rel=nofollow]', '[href^=""]', '[class~="x y"]', '[value=""]'],
      ...['[é]', '[__proto__]', '[constructor]'],
    ),
    weight: 1,
  },
)
const pseudo = fc.constantFrom(
  ...[
    ':first-child',
    ':nth-child(2)',
    ':nth-child(odd)',
    ':nth-child(n)',
    ':nth-child(n+2)',
    ':nth-child(-n + 2)',
    ':nth-child(3n-1)',
  ],
  ...[
    ':first-of-type',
    ':nth-of-type(odd)',
    ':nth-of-type(n)',
    ':root',
    ':not(.x)',
    ':not(.x, p)',
    ':is(p, .y)',
    ':where(b)',
  ],
  ...[
    ':not(:first-child)',
    ':is(:root, :nth-child(2))',
    ':not(:is(.x, [href]))',
    ':any-link',
    ':link',
    ':header',
    ':input',
    ':text',
  ],
  ...[':visited', ':not(:hover)', ':radio', ':button', ':optional', ':not(*)', ':nth-child(0)'],
)
const rarely = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constant(''), weight: 6 }, { arbitrary: part, weight: 1 })

const compound = fc
  .tuple(tag, rarely(simple), rarely(simple), rarely(pseudo))
  .chain(parts =>
    parts.join('') === '' ? fc.oneof(simple, pseudo).map(part => part || '*') : fc.constant(parts.join('')),
  )
const combinator = fc.constantFrom(' ', ' ', ' ', ' > ', ' + ', ' ~ ')
const complex = fc
  .tuple(
    compound,
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 3 },
      { arbitrary: fc.array(fc.tuple(combinator, compound), { minLength: 1, maxLength: 3 }), weight: 2 },
    ),
  )
  .map(([first, rest]) => first + rest.map(([between, next]) => between + next).join(''))

export const streamSelector: fc.Arbitrary<string> = fc
  .array(complex, { minLength: 1, maxLength: 2 })
  .map(selectors => selectors.join(', '))

const childChain = fc
  .tuple(compound, fc.array(fc.tuple(fc.constantFrom(' > ', ' + ', ' ~ '), compound), { maxLength: 2 }))
  .map(([first, rest]) => `> ${first}${rest.map(([between, next]) => between + next).join('')}`)
const relativeSelector = fc.oneof({ arbitrary: streamSelector, weight: 3 }, { arbitrary: childChain, weight: 1 })

/** What is read of a match. */
const source = fc.constantFrom<object>(
  ...[
    {},
    {},
    { value: 'textContent' },
    { value: 'innerText' },
    { value: 'ownText' },
    { value: 'href' },
    { value: 'class' },
    { value: 'value' },
  ],
  ...[
    { value: 'tagName' },
    { value: 'innerHTML' },
    { value: 'outerHTML' },
    { value: 'data-n' },
    { type: 'url' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'date' },
    { type: 'json' },
  ],
  ...[
    { type: 'url', follow: true },
    { value: 'href', follow: 'other' },
    { type: 'number', locale: 'de' },
    { type: 'boolean', words: { true: ['one'] } },
    { value: 'ownText', type: 'raw' },
    { value: 'class', pattern: '(x)|(y)' },
    { value: 'href', type: 'url', pattern: '/(.*)' },
    { pattern: '(?<word>o\\w)(?<rest>.*)' },
    { pattern: '\\w+', flags: 'i', whitespace: 'keep' },
    { type: 'text', whitespace: 'lines' },
    { value: 'ownText', whitespace: 'lines' },
    { value: 'innerText', whitespace: 'lines' },
    { value: 'value', whitespace: 'lines' },
  ],
)
/** What is read of elements that hold parts. */
const parts = fc.constantFrom<object>({ table: true }, { table: 'pairs' }, { dl: true })
/** What holds where there is no value. */
const ending = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  {
    arbitrary: fc.constantFrom<object>({ default: 'none' }, { required: true }, { required: 'flag' }),
    weight: 1,
  },
)
/** Which of the matches, or what of all of them. */
const matches = fc.oneof(
  { arbitrary: fc.constant({}), weight: 5 },
  { arbitrary: fc.constantFrom<object>(...[2, 3, -1, -2].map(pick => ({ pick }))), weight: 2 },
)
const ofAll = fc.constantFrom<object>({ count: true }, { exists: true })
const bound = fc.constantFrom<object>(
  { constant: 5 },
  { context: 'url', pattern: '\\w+$' },
  { context: 'meta.x', type: 'url' },
)

/** Of the page as a whole, by what streams and by what needs the tree for itself. */
const whole = fc.constantFrom<object>(
  ...[{ from: 'json-ld' }, { from: 'json-ld', of: 'A', path: '$.n' }, { from: 'json-ld', of: 'B', all: true }],
  ...[
    { from: 'script', all: true },
    { from: 'script', selector: 'div', path: '$..n' },
  ],
  ...[
    { from: 'script', selector: 'script:last-child' },
    { from: 'script', selector: '[type]', required: true },
  ],
  ...[{ from: 'opengraph' }, { from: 'opengraph', property: 'og:image', path: '$[*].url', type: 'url' }],
  { from: 'opengraph', property: 'og:title', follow: true },
)

const listOrNot = (field: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.tuple(field, matches).map(([spec, more]) => ({ ...spec, ...more })),
    field.map(spec => [spec]),
  )
const merged = (...maps: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...maps).map(list => Object.assign({}, ...list))
const leaf = (selector: fc.Arbitrary<string>): fc.Arbitrary<unknown> => {
  const select = selector.map(text => ({ selector: text }))
  const holder = fc.constantFrom('table', 'table', 'dl', 'div', 'li').map(text => ({ selector: text }))
  return fc.oneof(
    { arbitrary: listOrNot(merged(select, source, ending)), weight: 8 },
    { arbitrary: listOrNot(merged(fc.oneof(select, holder, holder), parts, ending)), weight: 1 },
    { arbitrary: merged(select, ofAll), weight: 1 },
    { arbitrary: bound, weight: 1 },
    { arbitrary: whole, weight: 2 },
  )
}
/** Of the element of the scope itself. */
const own = source.map(spec => (Object.keys(spec).length === 0 ? { value: 'text' } : { value: 'text', ...spec }))
const ownParts = fc.oneof({ arbitrary: own, weight: 8 }, { arbitrary: parts, weight: 1 })
/** The markup of a whole page is its tree's. */
const ownOfPage = own.filter(spec => !String(spec.value).endsWith('HTML'))
const group = (selector: fc.Arbitrary<string>, inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  listOrNot(merged(fc.record({ selector, value: fc.record({ one: inner, two: inner, own: ownParts }) }), ending))
const nested = fc.oneof(
  { arbitrary: leaf(relativeSelector), weight: 3 },
  { arbitrary: fc.record({ value: fc.record({ same: leaf(relativeSelector) }) }), weight: 1 },
  { arbitrary: group(relativeSelector, leaf(relativeSelector)), weight: 1 },
)

export const streamSchema: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.record({ a: leaf(streamSelector), b: leaf(streamSelector) }), weight: 2 },
  { arbitrary: fc.record({ a: leaf(streamSelector), group: group(streamSelector, nested) }), weight: 3 },
  { arbitrary: fc.record({ own: ownOfPage, group: group(streamSelector, nested) }), weight: 1 },
)

/** Several items of a page, as a rule has them. */
export const streamItems: fc.Arbitrary<{ selector: string; item: unknown; required: boolean }> = fc.record({
  selector: streamSelector,
  item: fc.record({ a: leaf(relativeSelector), own: ownParts, inner: nested }),
  required: fc.boolean(),
})
