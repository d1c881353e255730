import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearRegexOf } from '../../src/core/linear-regex.ts'

describe('an expression of a user that takes for ever as JavaScript runs it', () => {
  const bombs: readonly (readonly [string, string])[] = [
    ['(a+)+$', `${'a'.repeat(50_000)}!`],
    ['^(\\s+)+$', `${' '.repeat(50_000)}x`],
    ['^(.*a){25}$', `${'a'.repeat(50_000)}b`],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
    ['^([a-z]+)*\\d$', 'a'.repeat(50_000)],
  ]
  test.each(bombs)('%s ends within a second on 50 KB', (source, text) => {
    const expression = linearRegexOf(source)
    const startMs = performance.now()
    expect(expression?.test(text)).toBe(false)
    expect(expression?.fits(text)).toBe(false)
    expect(expression?.exec(text)).toBeNull()
    expect(performance.now() - startMs).toBeLessThan(1_000)
  })
})

test('what needs going back in the text is not promised', () => {
  for (const source of [
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{2000}',
    '(?:a{900}){900}',
  ])
    expect(linearRegexOf(source), source).toBeNull()
  expect(linearRegexOf('^a$', 'm')).toBeNull()
})

test('what is no regular expression is refused', () => {
  expect(() => linearRegexOf('a(')).toThrowError(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('"a("') }),
  )
})

const same: readonly (readonly [source: string, flags: string, text: string])[] = [
  ['\\$([\\d,.]+)', '', 'price $1,234.50 only'],
  ['(?<year>\\d{4})-(?<month>\\d\\d)?', '', 'on 2024-'],
  ['\\s+', '', 'a\u00a0\u2003b'],
  ['[\\S]+', '', '\u00a0x\ufeffy'],
  ['[^\\s]+', '', '\u2028ab '],
  ['a.b', '', 'a\u2028b a-b'],
  ['a.b', 's', 'a\u2028b'],
  ['[]', '', 'a'],
  ['[^]', '', '\n'],
  ['[[]+', '', '[['],
  ['[\\b]', '', 'a\bc'],
  ['\\bfoo\\b', '', 'a foo.'],
  ['\\a\\-\\Q', '', 'a-Q'],
  ['a{,3}', '', 'aa a{,3}'],
  ['x{a}', '', 'x{a}'],
  [']}', '', ']}'],
  ['\\u00e9\\x41\\cJ\\0', '', 'éA\n\0'],
  ['\\u{1f600}+', 'u', '😀😀'],
  ['[😀-😂]', 'u', '😁'],
  ['\\p{Lu}+', 'u', 'abCD'],
  ['\\p{Lu}', '', 'p{Lu}'],
  ['STRASSE', 'i', 'strasse'],
  ['É+', 'iu', 'éé'],
  ['a+?b*?(c|d)??', '', 'aab'],
  ['^$', '', ''],
  ['', '', 'a'],
  ['(?i:A)b', '', 'ab aB'],
  ['[a-c\\d.-]+', '', 'x b-2.'],
]
test.each(same)('/%s/%s finds what JavaScript finds', (source, flags, text) => {
  const expected = new RegExp(source, flags).exec(text)
  const found = linearRegexOf(source, flags)?.exec(text)
  expect(found === null ? null : [...(found ?? ['no expression'])]).toEqual(expected === null ? null : [...expected])
  expect(found?.index).toBe(expected?.index)
  expect({ ...found?.groups }).toEqual({ ...expected?.groups })
})

test('expressions of all kinds find what JavaScript finds', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '-',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\.',
    '[a-c]',
    '[^b]',
    '[\\s\\d]',
    '\\b',
    '1',
    ' ',
    'é',
  )
  const { expression } = fc.letrec<{ expression: string }>(tie => ({
    expression: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      atom,
      fc.array(tie('expression'), { minLength: 1, maxLength: 3 }).map(parts => parts.join('')),
      fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(?:${left}|${right})`),
      tie('expression').map(inner => `(${inner})`),
      // What is repeated takes at least one character and has no groups: there the two differ, as is said.
      fc
        .tuple(
          fc.constantFrom('a', '.', '\\d', '[a-c]', '(?:a|bc)', '(?:ab?)', '(?:\\s\\w)'),
          fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}?'),
        )
        .map(([piece, times]) => piece + times),
    ),
  }))
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '-', '.', '1', ' ', '\n', 'é', '\u00a0'), { maxLength: 12 })
  fc.assert(
    fc.property(expression, text, (source, characters) => {
      const input = characters.join('')
      const expected = new RegExp(source, 'u').exec(input)
      const linear = linearRegexOf(source, 'u')
      const found = linear?.exec(input)
      expect(linear?.test(input)).toBe(expected !== null)
      expect(linear?.fits(input)).toBe(new RegExp(`^(?:${source})$`, 'u').test(input))
      expect(found === null ? null : [found?.index, ...(found ?? [])]).toEqual(
        expected === null ? null : [expected.index, ...expected],
      )
    }),
    { numRuns: 2_000 },
  )
})
