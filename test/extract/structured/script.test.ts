import { expect, test } from 'vitest'
import { fieldOf, messageOf } from './read.ts'

const html =
  '<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"price":"9,50 €","tags":["a","b"]}}}</script>' +
  '<script type="application/JSON">broken</script><script type="application/json">{"props":2}</script>' +
  '<div data-x id=plain>{"a":"&lt;b&gt;"}</div>'

test.each<[string, object, unknown]>([
  ['a place in it', { selector: '#__NEXT_DATA__', path: '$.props.pageProps.price' }, '9,50 €'],
  ['as a number', { selector: '#__NEXT_DATA__', path: '$.props.pageProps.price', type: 'number' }, 9.5],
  ['a list', { selector: '#__NEXT_DATA__', path: '$.props.pageProps.tags[*]' }, ['a', 'b']],
  [
    'of all scripts of JSON those that can be read',
    { path: '$.props', all: true },
    [{ pageProps: { price: '9,50 €', tags: ['a', 'b'] } }, 2],
  ],
  ['any element', { selector: '#plain' }, { a: '<b>' }],
  ['none', { selector: '#none' }, null],
  ['no JSON', { selector: 'script:nth-of-type(2)' }, null],
])('the JSON of a script: %s', (_, keys, expected) => {
  expect(fieldOf({ from: 'script', ...keys }, html)).toEqual(expected)
})

test('a selector that cannot be read is refused with its place', () => {
  expect(messageOf({ from: 'script', selector: 'script[' })).toMatch(
    /item\.field\.selector: "script\[" is not a selector: .* position/,
  )
  expect(messageOf({ from: 'script', selector: '' })).toMatch(/item\.field\.selector: "" is not accepted/)
})
