import fc from 'fast-check'

/**
 * Documents and selectors for comparisons with cheerio. A document is a row of tokens in any order, so most of them are
 * broken: tags that are never closed, or closed twice, or in places where HTML does not allow them.
 */

const tags = ['div', 'p', 'span', 'b', 'a', 'ul', 'li', 'table', 'tr', 'td', 'h1', 'section', 'br', 'img', 'form']
const oddTags = ['svg', 'path', 'template', 'noscript', 'select', 'option', 'script', 'style', 'title', 'head', 'body']
const names = ['x', 'y', 'z']

const attribute = fc.oneof(
  fc.constantFrom(...names.map(name => `class=${name}`), 'class="x y"', 'class="z  x"', 'id=x', 'id=y'),
  fc.constantFrom('href=/a', 'href="/b?c=1&amp;d=2"', "href=''", 'href', 'data-n=1', 'title="a &quot; b"', 'HREF=/up'),
)
const text = fc.constantFrom('one', ' two ', '\n\t', 'a &amp; b', '&lt;i&gt;', 'é ü', '&nbsp;', '5 < 6', '&#x41;', '')

function token(tag: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const open = fc
    .tuple(tag, fc.array(attribute, { maxLength: 2 }))
    .map(([name, attributes]) => `<${[name, ...attributes].join(' ')}>`)
  return fc.oneof(
    { arbitrary: open, weight: 6 },
    { arbitrary: tag.map(name => `</${name}>`), weight: 4 },
    { arbitrary: text, weight: 4 },
    { arbitrary: fc.constantFrom('<!-- note -->', '<!doctype html>', '<!-->', '</', '<', '<![CDATA[x]]>'), weight: 1 },
  )
}

const documentOf = (tag: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(token(tag), { maxLength: 40 }).map(tokens => tokens.join(''))

export const plainDocument: fc.Arbitrary<string> = documentOf(fc.constantFrom(...tags))
export const anyDocument: fc.Arbitrary<string> = documentOf(fc.constantFrom(...tags, ...tags, ...oddTags))

const pseudo = fc.constantFrom(
  ':first-child',
  ':last-child',
  ':nth-child(2)',
  ':nth-of-type(odd)',
  ':only-child',
  ':empty',
  ':not(.x)',
  ':not(div p)',
  ':is(p, .y)',
  ':has(b)',
  ':has(> .x)',
  ':has(+ p)',
  ':contains("one")',
  ':root',
)
const positions = [':first', ':last', ':eq(1)', ':eq(-1)', ':gt(0)', ':lt(2)', ':even', ':odd', ':not(:first)']
export const position: fc.Arbitrary<string> = fc.constantFrom(...positions)

const compoundWith = (end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '*', ...tags.slice(0, 8)),
      fc.constantFrom('', '', '.x', '.y', '#x', '[href]', '[href^="/"]', '[data-n="1"]'),
      fc.option(pseudo, { nil: '', freq: 3 }),
      end,
    )
    .map(parts => parts.join('') || 'p')

/** What says of one element all that it says, without a position. */
export const plainCompound: fc.Arbitrary<string> = compoundWith(fc.constant(''))
const compound = compoundWith(fc.option(position, { nil: '', freq: 8 }))

const complex = fc
  .tuple(compound, fc.array(fc.tuple(fc.constantFrom(' ', ' ', ' > ', ' + ', ' ~ '), compound), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.map(([combinator, next]) => combinator + next).join(''))

export const selector: fc.Arbitrary<string> = fc
  .array(complex, { minLength: 1, maxLength: 2 })
  .map(selectors => selectors.join(', '))

/**
 * cheerio is wrong about what follows a position by another combinator than a space, and by a space where a chosen element
 * is in the `<template>` of another: see `positional.ts`. What is right there is compared with the methods of cheerio, in
 * `positional.test.ts`.
 * @param selectors one, or a schema of them as text
 */
export const isRightInCheerio = (html: string, selectors: string): boolean =>
  !positions.some(
    html.includes('<template')
      ? each => selectors.includes(`${each} `)
      : each => ['>', '+', '~'].some(combinator => selectors.includes(`${each} ${combinator} `)),
  )

/** What only makes sense below an element. */
export const relativeSelector: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: selector, weight: 3 },
  { arbitrary: complex.map(rest => `> ${rest}`), weight: 2 },
  { arbitrary: complex.map(rest => `+ ${rest}`), weight: 1 },
  { arbitrary: complex.map(rest => `~ ${rest}`), weight: 1 },
  { arbitrary: complex.map(rest => `:scope > ${rest}`), weight: 1 },
  { arbitrary: fc.constant(':scope'), weight: 1 },
)
