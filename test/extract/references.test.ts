import fc from 'fast-check'
import { DomUtils, parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { decodeAttribute, decodeText, decodeTitle } from '../../src/extract/stream/references.ts'
import { quote } from '../../src/extract/stream/scanner.ts'

const piece = fc.constantFrom(
  ...[
    '&',
    '&amp;',
    '&amp',
    '&nbsp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '&#39;',
    '&#39',
    '&#',
    '&#x',
    '&#x41;',
    '&#0;',
    '&copy',
  ],
  ...['&copy;', '&copy=', '&notit;', '&not', '&AMP;', '&Amp;', '&ltx;', '&quote;', '&CounterClockwiseContourIntegral;'],
  ...[';', 'a', 'amp;', '=', '1', '#', '&a', '&&', 'é', '\u2603', '\0', '<3', '<&amp;', '<&copy'],
)
const pieces = fc.array(piece, { maxLength: 8, size: 'max' }).map(list => list.join(''))
const numRuns = Number(process.env.FUZZ ?? 2_000)

const textOf = (html: string): string => DomUtils.textContent(parseDocument(html).children)

function valueIn(html: string): string {
  const [element] = parseDocument(html).children
  return element !== undefined && 'attribs' in element ? (element.attribs.b ?? '') : ''
}

test('references in texts, titles and attributes mean what they mean to htmlparser2', () => {
  fc.assert(
    fc.property(pieces, text => {
      expect(decodeText(text)).toBe(textOf(text))
      expect(decodeTitle(text)).toBe(textOf(`<title>${text}`))
      expect(decodeAttribute(text, quote.double)).toBe(valueIn(`<a b="${text}">`))
      expect(decodeAttribute(text, quote.single)).toBe(valueIn(`<a b='${text}'>`))
      expect(decodeAttribute(text, quote.unquoted)).toBe(valueIn(`<a b=${text}>`))
    }),
    { numRuns },
  )
})
