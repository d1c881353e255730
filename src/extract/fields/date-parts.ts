/** The parts of a date as they were written, and the ISO text that they make. */

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

/** Digits; `monthName` in English, `half` as "am" or "pm". What was not written is undefined. */
export type DateParts = Readonly<Record<string, string | undefined>>

/** As exact as what was written; null: there is no such day or time. */
export function isoOf(parts: DateParts): string | null {
  const year = fullYear(parts.year ?? '')
  const month = parts.monthName === undefined ? Number(parts.month) : months.indexOf(parts.monthName.toLowerCase()) + 1
  const day = Number(parts.day ?? 1)
  const hour = hourOf(parts)
  const [minute, second] = [Number(parts.minute ?? 0), Number(parts.second ?? 0)]
  const milliseconds = Math.trunc(Number(`0.${parts.fraction ?? 0}`) * 1000)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return null
  // A leap second is the first instant of the next minute, which is what UTC arithmetic makes of it.
  if (hour === null || hour > 23 || minute > 59 || second > 60) return null
  const instant = utc(year, month, day, hour, minute, second, milliseconds)
  if (parts.zone === undefined) {
    const local = instant.toISOString()
    if (parts.hour !== undefined) return local.slice(0, parts.fraction === undefined ? 19 : 23)
    return local.slice(0, parts.day === undefined ? 7 : 10)
  }
  const eastMinutes = zoneMinutes(parts.zone.toUpperCase())
  return eastMinutes === null ? null : new Date(instant.getTime() - eastMinutes * 60_000).toISOString()
}

/** Twelve in the morning is midnight. Null: the clock of twelve hours has no such one. */
function hourOf({ hour, half }: DateParts): number | null {
  const written = Number(hour ?? 0)
  if (half === undefined) return written
  if (written < 1 || written > 12) return null
  return (written % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
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
