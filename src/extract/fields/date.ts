import type { FieldType } from './field-type.ts'

/**
 * Dates that can be read one way only: ISO 8601 as the HTML standard and RFC 3339 write it, and the dates of mail and
 * HTTP (RFC 2822, with the zones and two-digit years of RFC 822). "01/02/2024" and names of months in other orders are
 * left alone, since any reading of them would be a guess, and so is a time of the twelve-hour clock behind a day.
 *
 * The result is ISO text, and as exact as what was written: an instant where a zone is given
 * ("2024-05-01T08:00:00.000Z"), a local time where none is ("2024-05-01T10:00:00"), a day ("2024-05-01") or a month.
 * Nothing depends on the zone of the machine, so `Date` is used for its arithmetic in UTC alone.
 */

const isoForm =
  /(?<!\d)(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d)(?:(?:[T ]|, )(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?\s?(?<zone>Z|[+-]\d\d:?\d\d)?(?!\s?[ap]\.?m))?)?(?![\d-])/i
const isoBasicForm =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>Z|[+-]\d{4})?)?$/i
const mailForm =
  /(?<!\d)(?<day>\d{1,2})[ -](?<monthName>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -](?<year>\d{4}|\d\d) (?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))? (?<zone>[+-]\d{4}|UTC?|GMT|Z|[ECMP][SD]T)(?![\w])/i

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Minutes to the east of Greenwich; those of RFC 2822, section 4.3. */
const namedZones: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EDT: -240,
  EST: -300,
  CDT: -300,
  CST: -360,
  MDT: -360,
  MST: -420,
  PDT: -420,
  PST: -480,
}

type Parts = Readonly<Record<string, string | undefined>>

/** A text is searched this far: dates stand at the start of what holds them. */
const reach = 500

function read(text: string): string | null {
  const near = text.slice(0, reach).trim().replace(/\s+/g, ' ')
  const match = isoBasicForm.exec(near) ?? isoForm.exec(near) ?? mailForm.exec(near)
  return match?.groups === undefined ? null : isoOf(match.groups)
}

function isoOf(parts: Parts): string | null {
  const year = fullYear(parts.year ?? '')
  const month = parts.monthName === undefined ? Number(parts.month) : months.indexOf(parts.monthName.toLowerCase()) + 1
  const day = Number(parts.day ?? 1)
  const [hour, minute, second] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0), Number(parts.second ?? 0)]
  const milliseconds = Math.trunc(Number(`0.${parts.fraction ?? 0}`) * 1000)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  // A leap second is the first instant of the next minute, which is what UTC arithmetic makes of it.
  if (hour > 23 || minute > 59 || second > 60) return null
  const instant = utc(year, month, day, hour, minute, second, milliseconds)
  if (parts.zone === undefined) {
    const local = instant.toISOString()
    if (parts.hour !== undefined) return local.slice(0, parts.fraction === undefined ? 19 : 23)
    return local.slice(0, parts.day === undefined ? 7 : 10)
  }
  const eastMinutes = zoneMinutes(parts.zone.toUpperCase())
  return eastMinutes === null ? null : new Date(instant.getTime() - eastMinutes * 60_000).toISOString()
}

/** Two digits: RFC 2822 reads 00 to 49 as this century. */
const fullYear = (digits: string): number =>
  digits.length === 2 ? Number(digits) + (Number(digits) < 50 ? 2000 : 1900) : Number(digits)

/** `Date.UTC` takes years below 100 for those of the twentieth century; the setter does not. */
function utc(year: number, month: number, day: number, ...time: [number, number, number, number]): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(...time)
  return date
}

const daysIn = (year: number, month: number): number => utc(year, month + 1, 0, 0, 0, 0, 0).getUTCDate()

function zoneMinutes(zone: string): number | null {
  const numeric = /^([+-])(\d\d):?(\d\d)$/.exec(zone)
  if (numeric === null) return namedZones[zone] ?? null
  const [, sign, hours, minutes] = numeric
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

const attributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    time: 'datetime',
    ins: 'datetime',
    del: 'datetime',
    data: 'value',
    input: 'value',
    meta: 'content',
  }),
)

export const date: FieldType = { attributeOf: tag => attributes.get(tag) ?? null, read, absent: null }
