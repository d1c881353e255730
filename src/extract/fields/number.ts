import type { FieldType, ReadValue } from './field-type.ts'

/**
 * Numbers as people write them: the first one in a text, with the marks of its land.
 *
 *   1,234.56   1.234,56 €   £51.77   1 234,56   1'234.50   1,23,456.7   -3.5   −3,5   45 %   1.5e3
 *
 * A *group* is a separator before exactly three digits (two in India, but for the last); the same separator again
 * groups again, another one begins the decimals. What is left is a separator that stands once, and it is:
 * - before one, two, four or more digits: the decimal mark, comma or point;
 * - a comma before three digits: a group ("1,234"), but never after a zero ("0,125");
 * - a point before three digits: the decimal mark ("1.234"), except next to the sign of a currency whose lands group by
 *   points ("1.299 €"), since amounts have no thousandths.
 *
 * A minus counts where it touches the number or its currency and no letter or digit touches it: "-5" and "-£5" are below
 * zero, "A-5", "3-5" and "Price - 5" are not. Percent is not divided by a hundred, "1.2k" is 1.2, and parentheses mean nothing.
 *
 * With a `locale` nothing is guessed: its decimal mark is one, and every other mark before two or three digits groups, so
 * that "1.234" is 1,234 in German and 1.234 in English. What no number of that land can be ("1.5" in German) is read as above.
 */

const grouped = String.raw`\d{1,3}(?:(?<group>[.,'’ ])\d{3})(?:\k<group>\d{3})*(?!\d)(?:(?!\k<group>)[.,](?<decimals>\d+))?`
const indian = String.raw`\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?`
const plain = String.raw`\d+(?:[.,]\d+)?|(?<![\p{L}\p{N}])[.,]\d+`
const written = new RegExp(`(?<indian>${indian})|(?<grouped>${grouped})|(?<plain>${plain})`, 'u')

const scientific = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i
const minusBefore = /(?:^\s*[-\u2212]\s?|[^\p{L}\p{N}][-\u2212])(?:(?:\p{Sc}|[A-Z]{2,3})\s?)?$/u
const pointGroupsBefore = /(?:€|EUR|R\$|Rp|₫|₺|TL|kr\.?|DKK|NOK|SEK)\s?$/
const pointGroupsAfter = /^\s?(?:€|EUR|₫|VND|đ|₺|TL|kr|DKK|NOK|SEK|IDR)/

/** How far round a number is looked for what belongs to it: bounds the work on a long text, and is past any double. */
const reach = 400

/** Any white space as a plain one; full-width and Arabic digits and marks as ASCII. */
function normalise(text: string): string {
  const spaced = text.replace(/\s/g, ' ')
  if (!/[\u0660-\u06f9\uff0b-\uff19]/.test(spaced)) return spaced
  return spaced
    .replace(/[\uff0b-\uff19]/g, character => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, digit => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', "'")
}

function sizeOf(match: RegExpExecArray, before: string, after: string): number {
  const { indian, grouped, group, decimals } = match.groups ?? {}
  if (indian !== undefined) return Number(indian.replaceAll(',', ''))
  if (grouped === undefined || group === undefined) return Number(match[0].replace(',', '.'))
  const parts = grouped.split(group)
  if (decimals === undefined && parts.length === 2) {
    const isDecimal =
      group === '.'
        ? !pointGroupsBefore.test(before) && !pointGroupsAfter.test(after)
        : group === ',' && parts[0] === '0'
    if (isDecimal) return Number(parts.join('.'))
  }
  return Number(parts.join('').replace(',', '.'))
}

/** What is round the first digit of a text; null: it has none. */
function nearDigit(text: string): string | null {
  const digitAt = text.search(/[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/)
  return digitAt < 0 ? null : normalise(text.slice(Math.max(0, digitAt - reach), digitAt + reach))
}

function read(text: string): number | null {
  const near = nearDigit(text)
  if (near === null) return null
  if (scientific.test(near.trim())) return finite(Number(near))
  const match = written.exec(near)
  if (match === null) return null
  const before = near.slice(0, match.index)
  const size = sizeOf(match, before, near.slice(match.index + match[0].length))
  return finite(minusBefore.test(before) ? -size : size)
}

const marks = ".,'’ "

/** By the marks of a land. */
function createLocaleReader(locale: string): ReadValue {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  const decimal = normalise(parts.find(({ type }) => type === 'decimal')?.value ?? '.')
  const groups = `[${marks.replace(decimal, '')}]`
  const whole = String.raw`\d{1,3}(?:${groups}\d{2,3})*${groups}\d{3}|\d+`
  const form = new RegExp(
    String.raw`(?<whole>${whole})(?:[${decimal}](?<decimals>\d+))?(?![.,'’]?\d)|(?<![\p{L}\p{N}])[${decimal}](?<part>\d+)`,
    'u',
  )
  return text => {
    const near = nearDigit(text)
    const match = near === null ? null : form.exec(near)
    if (near === null || match?.groups === undefined || near.slice(0, match.index).search(/\d/) >= 0) return read(text)
    const { whole: digits = '0', decimals, part } = match.groups
    const size = Number(`${digits.replace(/\D/g, '')}.${decimals ?? part ?? '0'}`)
    return finite(minusBefore.test(near.slice(0, match.index)) ? -size : size)
  }
}

/** Adding zero makes the negative one of "-0" the plain one, as it would be in JSON. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null)

const attributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    data: 'value',
    meter: 'value',
    progress: 'value',
    input: 'value',
    option: 'value',
    meta: 'content',
  }),
)

export const number: FieldType = {
  attributeOf: tag => attributes.get(tag) ?? null,
  read,
  absent: null,
  tuned: ({ locale }) => (locale === undefined ? read : createLocaleReader(locale)),
}
