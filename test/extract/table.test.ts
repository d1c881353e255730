import { describe, expect, test } from 'vitest'
import { definitionsOf } from '../../src/extract/definitions.ts'
import { parseTree } from '../../src/extract/dom/tree.ts'
import { tableOf } from '../../src/extract/table.ts'

const tableIn = (html: string, shape: 'rows' | 'pairs' = 'rows', tag = 'table'): unknown => {
  const [element] = parseTree(html, 'fast').named(tag)
  return element === undefined ? null : tableOf(element, shape)
}
const listIn = (html: string): unknown => {
  const [element] = parseTree(html, 'fast').named('dl')
  return element === undefined ? null : definitionsOf(element)
}

describe('the rows of a table', () => {
  test.each([
    ['heads in thead', '<thead><tr><td>a<td>b</thead><tr><td>1<td>2', [{ a: '1', b: '2' }]],
    ['heads of th at the top', '<tr><th>a<th>b<tr><td>1<td>2', [{ a: '1', b: '2' }]],
    ['no heads', '<tr><td>1<td>2', [{ column1: '1', column2: '2' }]],
    ['a head without a name', '<tr><th>a<th><tr><td>1<td>2', [{ a: '1', column2: '2' }]],
    [
      'two rows of heads',
      '<tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3',
      [{ a: '1', 'b c': '2', 'b d': '3' }],
    ],
    ['a row that begins with a head', '<tr><th>a<th>b<tr><th>1<td>2', [{ a: '1', b: '2' }]],
    ['heads of the same name', '<tr><th>a<th>a<tr><td>1<td>2', [{ a: ['1', '2'] }]],
    [
      'a cell over two rows',
      '<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3',
      [
        { a: '1', b: '2' },
        { a: '1', b: '3' },
      ],
    ],
    [
      'a cell over all rows',
      '<tr><th>a<th>b<tr><td rowspan=0>1<td>2<tr><td>3<tr><td>4',
      [
        { a: '1', b: '2' },
        { a: '1', b: '3' },
        { a: '1', b: '4' },
      ],
    ],
    ['a short row', '<tr><th>a<th>b<tr><td>1', [{ a: '1' }]],
    ['a long row', '<tr><th>a<tr><td>1<td>2', [{ a: '1', column2: '2' }]],
    ['only heads', '<tr><th>a<th>b', []],
    ['nothing', '', []],
    ['a table in a cell', '<tr><th>a<tr><td>1 <table><tr><td>x</table>', [{ a: '1 x' }]],
    ['white space', '<tr><th> a \n b <tr><td>\n 1 \n', [{ 'a b': '1' }]],
  ])('%s', (_, rows, expected) => {
    expect(tableIn(`<table>${rows}</table>`)).toEqual(expected)
  })

  test('of what holds a table are those of the first one in it', () => {
    const html = '<div><table><tr><td>1</table><table><tr><td>2</table></div>'
    expect(tableIn(html, 'rows', 'div')).toEqual([{ column1: '1' }])
  })

  test('have keys of their own, whatever these are called', () => {
    const [row] = tableIn('<table><tr><th>__proto__<th>constructor<tr><td>1<td>2</table>') as object[]
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  })

  test('do not grow without bound by cells that span a thousand columns and all rows', () => {
    const html = `<table>${'<tr>'.repeat(0)}${'<tr><td colspan=1000 rowspan=65534>x'.repeat(5_000)}</table>`
    const text = JSON.stringify(tableIn(html))
    expect(text.length).toBeLessThan(20_000_000)
  })
})

describe('the pairs of a table', () => {
  test.each([
    ['a head and a cell', '<tr><th>a<td>1<tr><th>b<td>2', { a: '1', b: '2' }],
    ['two cells', '<tr><td>a<td>1<tr><td>b<td>2', { a: '1', b: '2' }],
    ['two heads in a row', '<tr><th>a<td>1<th>b<td>2', { a: '1', b: '2' }],
    ['several values', '<tr><th>a<td>1<td>2', { a: ['1', '2'] }],
    ['rows of the same name', '<tr><td>a<td>1<tr><td>a<td>2', { a: ['1', '2'] }],
    ['a heading over all columns', '<tr><th colspan=2>All<tr><td>a<td>1', { a: '1' }],
    ['nothing', '', {}],
  ])('%s', (_, rows, expected) => {
    expect(tableIn(`<table>${rows}</table>`, 'pairs')).toEqual(expected)
  })
})

describe('a definition list', () => {
  test.each([
    ['a term and what it is', '<dt>a<dd>1<dt>b<dd>2', { a: '1', b: '2' }],
    ['several values', '<dt>a<dd>1<dd>2', { a: ['1', '2'] }],
    ['several terms', '<dt>a<dt>b<dd>1', { a: '1', b: '1' }],
    ['the same term again', '<dt>a<dd>1<dt>a<dd>2', { a: ['1', '2'] }],
    ['groups of their own', '<div><dt>a<dd>1</div><div><dt>b<dd>2</div>', { a: '1', b: '2' }],
    ['a term without a value', '<dt>a', {}],
    ['a value without a term', '<dd>1<dt>a<dd>2', { a: '2' }],
    ['a list inside', '<dt>a<dd>1 <dl><dt>x<dd>y</dl>', { a: '1 xy' }],
  ])('%s', (_, inside, expected) => {
    expect(listIn(`<dl>${inside}</dl>`)).toEqual(expected)
  })
})
