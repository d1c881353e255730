import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { charsetOfLabel, decodeText } from '../../src/decode/charset.ts'
import { prescanMeta } from '../../src/decode/meta-prescan.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const isThere = existsSync(data)
if (!isThere) console.log(`charset conformance skipped: ${data} is not there`)

const bytesOf = (path: string): Buffer => readFileSync(resolve(data, path))
const jsonOf = <T>(path: string): T => JSON.parse(bytesOf(path).toString('utf8')) as T
const decodeAs = (label: string, bytes: Uint8Array): string => decodeText(bytes, `text/html; charset=${label}`).text

interface Encodings {
  readonly encodings: readonly { readonly name: string; readonly labels: readonly string[] }[]
  readonly heading: string
}

function linesOf(path: string): readonly Buffer[] {
  const bytes = bytesOf(path)
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start)
    lines.push(bytes.subarray(start, end === -1 ? bytes.length : end))
    start = end === -1 ? bytes.length : end + 1
  }
  return lines
}

describe.skipIf(!isThere)('the WHATWG Encoding standard', () => {
  test('every label stands for its encoding', () => {
    const encodings = jsonOf<readonly Encodings[]>('whatwg-encoding/encodings.json').flatMap(group => group.encodings)
    let labels = 0
    let refused = 0
    for (const { name, labels: all } of encodings)
      for (const label of all) {
        labels += 1
        const charset = charsetOfLabel(label)
        if (name === 'replacement') {
          expect(charset, label).toBeNull()
          refused += 1
        } else expect(charset, label).toBe(name.toLowerCase())
        if (name !== 'replacement')
          expect(decodeText(Buffer.from('x'), `text/html; charset=${label}`), label).toMatchObject({
            charset: name.toLowerCase(),
            source: 'header',
          })
      }
    console.log(`labels: ${labels - refused} of ${labels}, ${refused} of "replacement" refused`)
    expect(labels).toBe(228)
  })

  test('every byte of every single-byte encoding decodes as its index says', () => {
    const indexes = jsonOf<Record<string, readonly (number | null)[]>>('whatwg-encoding/indexes.json')
    const group = jsonOf<readonly Encodings[]>('whatwg-encoding/encodings.json').find(({ heading }) =>
      heading.includes('single-byte'),
    )
    let right = 0
    for (const { name } of group?.encodings ?? []) {
      const charset = name.toLowerCase()
      const index = indexes[charset === 'iso-8859-8-i' ? 'iso-8859-8' : charset] ?? []
      for (let byte = 0; byte < 256; byte++) {
        const point = byte < 128 ? byte : (index[byte - 128] ?? 0xfffd)
        expect(decodeAs(charset, Uint8Array.of(byte)), `${charset} ${byte}`).toBe(String.fromCodePoint(point))
        right += 1
      }
    }
    console.log(`single-byte: ${right} of ${28 * 256} bytes in ${group?.encodings.length} encodings`)
    expect(right).toBe(28 * 256)
  })
})

describe.skipIf(!isThere)('the sequences of encoding_rs', () => {
  test.each([
    ['big5', 'big5'],
    ['euc_kr', 'euc-kr'],
    ['gb18030', 'gb18030'],
    ['gb18030', 'gbk'],
    ['iso_2022_jp', 'iso-2022-jp'],
    ['jis0208', 'euc-jp'],
    ['shift_jis', 'shift_jis'],
  ])('%s decodes as %s, line by line', (file, charset) => {
    const inputs = linesOf(`encoding-rs/${file}_in.txt`).slice(5)
    const expected = linesOf(`encoding-rs/${file}_in_ref.txt`).slice(5)
    expect(inputs.length).toBe(expected.length)
    const wrong = inputs.filter((input, at) => decodeAs(charset, input) !== expected[at]?.toString('utf8'))
    console.log(`${charset}: ${inputs.length - wrong.length} of ${inputs.length} sequences`)
    expect(wrong).toEqual([])
  })
})

interface PrescanCase {
  readonly page: Buffer
  readonly encoding: string
}

function casesOf(path: string): readonly PrescanCase[] {
  return bytesOf(path)
    .toString('latin1')
    .split(/^#data\n/m)
    .slice(1)
    .map(text => {
      const [page = '', encoding = ''] = text.split(/\n#encoding\n/)
      return { page: Buffer.from(page, 'latin1'), encoding: encoding.trim().toLowerCase() }
    })
}

describe.skipIf(!isThere)('the encoding tests of html5lib', () => {
  test.each(['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat'])('%s: marks and what 1024 bytes can tell', file => {
    const cases = casesOf(`html5lib/encoding/${file}`)
    const late = cases.filter(({ page }) => page.length > 1024 && !page.toString('latin1', 0, 1024).includes('charset'))
    const early = cases.filter(one => !late.includes(one))
    const charsetOf = (page: Buffer): string => {
      const { charset, source } = decodeText(page, 'text/html')
      // The tests know no rule for valid UTF-8: what declares nothing is windows-1252 to them.
      return source === 'bom' || source === 'meta' ? charset : 'windows-1252'
    }
    const wrong = early.filter(({ page, encoding }) => charsetOf(page) !== charsetOfLabel(encoding))
    const found = late.filter(({ page, encoding }) => prescanMeta(page.toString('latin1')) === charsetOfLabel(encoding))
    console.log(
      `html5lib ${file}: ${early.length - wrong.length} of ${early.length}; ` +
        `${late.length} declare later, ${found.length} of them found there`,
    )
    expect(wrong).toEqual([])
    expect(found).toEqual(late)
  })

  test('chardet/test_big5.txt, which declares nothing, is read with the fallback that was asked for', () => {
    const page = bytesOf('html5lib/encoding/chardet/test_big5.txt')
    const { text, source } = decodeText(page, 'text/html', { fallback: 'big5' })
    expect(source).toBe('fallback')
    expect(text.startsWith('老子《道德經》')).toBe(true)
    expect(text).not.toContain('\ufffd')
  })
})
