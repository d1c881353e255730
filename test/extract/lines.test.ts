import { expect, test } from 'vitest'
import { fieldOf } from './structured/read.ts'

const linesOf = (html: string, value = 'text') =>
  fieldOf({ selector: 'main', value, whitespace: 'lines' }, `<main>${html}`)

test.each([
  ['a line break', 'one<br>two<br/>three</br>four', 'one\ntwo\nthree\nfour'],
  ['blocks', 'a<p>b</p>c<div>d<div>e</div></div>f', 'a\nb\nc\nd\ne\nf'],
  ['items', '<ul><li>a<li>b <i>c</i></ul>', 'a\nb c'],
  ['rows and cells', '<table><tr><th>a<td>b<tr><td>c</table>', 'a b\nc'],
  ['a heading and what follows', '<h1>a</h1> b', 'a\nb'],
  ['terms', '<dl><dt>a<dd>b</dl>', 'a\nb'],
  ['inline elements', 'a<b>b</b><span>c</span>', 'abc'],
  ['line breaks of the source', 'a\n  b\r\nc', 'a b c'],
  ['what keeps them', 'a<pre>b\n  c<b>d\n</b>e</pre>f\ng', 'a\nb\ncd\ne\nf g'],
  ['nothing', '<p></p><br>', ''],
])('text by lines: %s', (_, html, text) => {
  expect(linesOf(html)).toBe(text)
})

test('own text and inner text have the same lines', () => {
  expect(linesOf('a<p>b</p>c<br>d<script>e</script>', 'ownText')).toBe('a\nc\nd')
  expect(linesOf('a<p>b</p>c<script>e</script>', 'innerText')).toBe('a\nb\nc')
})

test('a block inside of a style that was closed at once begins no line of the inner text', () => {
  expect(linesOf('a<style / ><div>b</main>c', 'innerText')).toBe('a')
})

test('an element inside of <pre> keeps its line breaks', () => {
  expect(fieldOf({ selector: 'b', whitespace: 'lines' }, '<pre><i><b>a\nb</b></i></pre><p>c\nd')).toBe('a\nb')
})

test('an attribute has those that are written', () => {
  expect(fieldOf({ selector: 'p', value: 'title', whitespace: 'lines' }, '<p title="a\n\n b  c">')).toBe('a\nb c')
})

test('a pattern looks at one line after the other', () => {
  expect(fieldOf({ selector: 'p', whitespace: 'lines', pattern: 'Sold by (.*)' }, '<p>Tea<br>Sold by Ann<br>Now')).toBe(
    'Ann',
  )
})

test('of pages that nest deep, each element is read in time that does not grow with its depth', () => {
  const html = '<div>x'.repeat(30_000)
  const found = fieldOf([{ selector: 'div', value: 'ownText', whitespace: 'lines' }], html)
  expect(found).toHaveLength(30_000)
})
