import { regexText } from '../../core/regex-text.ts'
import { isoOf } from './date-parts.ts'

/**
 * Dates whose form is told: by a format, or by a locale.
 *
 * A *format* has the signs that most libraries have: `YYYY YY`, `MMMM MMM` (names of months), `MM M`, `DD D Do`,
 * `dddd ddd` (names of days, which are read over), `HH H`, `hh h` with `A`, `mm m`, `ss s`, `SSS`, `Z`; text in brackets
 * and all else stands for itself, a blank for any white space. One letter takes one digit or two.
 *
 * A *locale* alone gives the names of its months and the order of its numbers: "1. Mai 2024", "May 1, 2024", "1 de mayo
 * de 2024", "2024年5月1日", and 01.05.2024 as what its land reads there. A time may follow ("um 10:30", "10:30 PM").
 *
 * A date may stand anywhere in the text, but not inside of a longer word or number.
 */

type Read = (text: string) => string | null

const anyName = String.raw`\p{L}[\p{L}\p{M}]*\.?`
const time = String.raw`(?<hour>\d{1,2})[:.h](?<minute>\d\d)(?::(?<second>\d\d))?(?:\s?(?<half>[ap])\.?m\.?)?`
const timeBehind = String.raw`(?:(?:,|\s|\s?[-–|]|T)\s?(?:\p{L}{1,4}\s)?${time}(?![\p{L}\p{N}]))?`

/** Those of which a form may have one each. */
const signs: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  YY: String.raw`(?<year>\d\d)`,
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d\d)`,
  D: String.raw`(?<day>\d{1,2})`,
  Do: String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|re|[.ºª])?`,
  dddd: anyName,
  ddd: anyName,
  HH: String.raw`(?<hour>\d\d)`,
  H: String.raw`(?<hour>\d{1,2})`,
  hh: String.raw`(?<hour>\d\d)`,
  h: String.raw`(?<hour>\d{1,2})`,
  mm: String.raw`(?<minute>\d\d)`,
  m: String.raw`(?<minute>\d{1,2})`,
  ss: String.raw`(?<second>\d\d)`,
  s: String.raw`(?<second>\d{1,2})`,
  SSS: String.raw`(?<fraction>\d{1,9})`,
  A: String.raw`(?<half>[ap])\.?m\.?`,
  a: String.raw`(?<half>[ap])\.?m\.?`,
  Z: String.raw`(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)`,
}
const tokens = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|SSS|A|a|Z|\s+|[\s\S]/g

/** Names of months in a language, in lower case and without a dot behind, to their number. */
function monthNames(locale: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  const usual = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' }
  // "Sep" and "Sept" are both English, but none of its lands has both.
  const locales = /^en\b/.test(locale) ? [locale, 'en-US', 'en-GB'] : [locale]
  // With a day beside it, the name of a month has another ending in many languages.
  for (const [tag, form] of locales.flatMap(tag => [[tag, 'long'] as const, [tag, 'short'] as const]))
    for (const beside of [{}, { day: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(tag, { ...usual, ...beside, month: form })
      for (let month = 1; month <= 12; month += 1) {
        const name =
          format.formatToParts(Date.UTC(2024, month - 1, 15)).find(({ type }) => type === 'month')?.value ?? ''
        const plain = name.toLowerCase().replace(/\.$/, '')
        if (/\p{L}/u.test(plain) && !names.has(plain)) names.set(plain, month)
      }
    }
  return names
}

const namePattern = (names: ReadonlyMap<string, number>): string =>
  `(?<name>${[...names.keys()]
    .sort((one, other) => other.length - one.length)
    .map(regexText)
    .join('|')})\\.?`

const edged = (form: string): RegExp => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${form})(?![\p{L}\p{N}])`, 'iu')

/** What is wrong with a format, in words; null: it can be read. */
export function formatProblem(format: string): string | null {
  const seen = new Set<string>()
  for (const [token] of format.matchAll(tokens)) {
    const group = /^MMMM?$/.test(token) ? 'month' : /\?<(\w+)>/.exec(signs[token] ?? '')?.[1]
    if (group === undefined) continue
    if (seen.has(group)) return `it has the ${group} twice`
    seen.add(group)
  }
  return seen.has('year') && seen.has('month') ? null : 'it has no year and month'
}

function formatPattern(format: string, month: string): string {
  let pattern = ''
  for (const [token, quoted] of format.matchAll(tokens)) {
    if (quoted !== undefined) pattern += regexText(quoted)
    else if (/^MMMM?$/.test(token)) pattern += month
    else pattern += Object.hasOwn(signs, token) ? signs[token] : /^\s/.test(token) ? String.raw`\s+` : regexText(token)
  }
  return pattern
}

/** The forms of a land, those with names of months first. */
function localePatterns(locale: string, names: ReadonlyMap<string, number>): readonly string[] {
  const between = String.raw`[\s.,]{1,3}(?:(?:de|del|of)\s)?`
  const day = signs.Do
  const month = namePattern(names)
  const numeric = new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'UTC' }).formatToParts(0)
  const order = numeric
    .map(({ type }) => signs[{ year: 'YYYY', month: 'M', day: 'D' }[type as string] ?? ''])
    .filter(Boolean)
  const eastAsian = String.raw`${signs.YYYY}\s?[年년]\s?${signs.M}\s?[月월]\s?${signs.D}\s?[日일]`
  const named =
    names.size === 0
      ? []
      : [`${day}${between}${month}${between}${signs.YYYY}`, `${month}${between}${day}${between}${signs.YYYY}`]
  return [...named, eastAsian, order.join(String.raw`\s?[./-]\s?`)].map(pattern => pattern + timeBehind)
}

/** The first form that a text holds a date of. */
export function createFormReader(formats: readonly string[] | undefined, locale: string | undefined): Read {
  const names = monthNames(locale ?? 'en')
  const month = namePattern(names)
  const patterns = formats?.map(format => formatPattern(format, month)) ?? localePatterns(locale ?? 'en', names)
  const forms = patterns.map(edged)
  return text => {
    for (const form of forms) {
      const parts = form.exec(text)?.groups
      if (parts === undefined) continue
      const { name, ...others } = parts
      const numbered = name === undefined ? others : { ...others, month: String(names.get(name.toLowerCase()) ?? 0) }
      const iso = isoOf(numbered)
      if (iso !== null) return iso
    }
    return null
  }
}
