/**
 * Retry-After (RFC 9110, 10.2.3): a number of seconds, or an HTTP date in one of its three forms (5.6.7):
 *
 *     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate, the one to be sent today
 *     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
 *     Sun Nov  6 08:49:37 1994          asctime
 *
 * Servers are careless with it, so the forms are read leniently (a fraction of a second, one digit for the day, any
 * case), while anything that leaves a doubt about the meaning is no answer at all.
 */

/** The longest wait that is believed: 24 h. A host that wants more is asked again once a day. */
export const longestRetryAfterMs = 24 * 3_600_000

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$/i
const fixdate =
  /^[a-z]+, (?<day>\d{1,2})[ -](?<month>[a-z]{3})[ -](?<year>\d{2}|\d{4}) (?<clock>\d{2}:\d{2}:\d{2}) (?:gmt|utc|\+0000)$/i
const asctime =
  /^[a-z]{3} (?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<clock>\d{2}:\d{2}:\d{2}) (?<year>\d{4})(?: gmt)?$/i

/** A year of two digits that seems more than 50 years ahead is the last one in the past with these digits (5.6.7). */
function fullYear(digits: string, wallNowMs: number): number {
  const year = Number(digits)
  if (digits.length === 4) return year
  const thisYear = new Date(wallNowMs).getUTCFullYear()
  const guess = thisYear - (thisYear % 100) + year
  return guess > thisYear + 50 ? guess - 100 : guess
}

/** Milliseconds since the epoch of an HTTP date; null when it is none. `wallNowMs` places years of two digits. */
export function httpDateMs(text: string, wallNowMs: number): number | null {
  const parts = (fixdate.exec(text) ?? asctime.exec(text))?.groups
  if (parts === undefined) return null
  const { day = '', month = '', year = '', clock = '' } = parts
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number)
  const monthIndex = months.indexOf(month.toLowerCase())
  // 60: a leap second.
  if (monthIndex < 0 || hour > 23 || minute > 59 || second > 60) return null
  const midnightMs = Date.UTC(fullYear(year, wallNowMs), monthIndex, Number(day))
  // 31 February would silently become 3 March.
  if (new Date(midnightMs).getUTCDate() !== Number(day)) return null
  return midnightMs + (hour * 3600 + minute * 60 + second) * 1000
}

function waitMs(text: string, wallNowMs: number): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  const atMs = httpDateMs(text, wallNowMs)
  return atMs === null ? null : Math.max(0, atMs - wallNowMs)
}

/** The members of a header that may have been sent more than once and joined: dates hold a comma of their own. */
function membersOf(value: string): readonly string[] {
  const members: string[] = []
  let day: string | null = null
  for (const part of value.split(',').map(text => text.trim())) {
    if (day !== null) members.push(`${day}, ${part}`)
    else if (!weekday.test(part)) members.push(part)
    day = day === null && weekday.test(part) ? part : null
  }
  return members
}

/** What tells by whose clock an answer came when; a cache that kept it says for how long (RFC 9111, 5.1). */
interface Dated {
  readonly date?: string
  readonly age?: string
}

/** The time at which the answer came, by the clock of whoever made it; by ours where that is not known. */
function cameAtMs({ date = '', age = '' }: Dated, wallNowMs: number): number {
  const madeAtMs = httpDateMs(date.trim(), wallNowMs)
  if (madeAtMs === null) return wallNowMs
  return /^\d+$/.test(age.trim()) ? madeAtMs + Number(age) * 1000 : madeAtMs
}

/**
 * How long a host asks to be left alone, at most `longestRetryAfterMs`; null when it says nothing that can be
 * understood (no header, garbage, a negative number). A date in the past is 0. A repeated header means its longest
 * wait: whoever sent it is content with none shorter.
 *
 * @param wallNowMs wall time, milliseconds since the epoch: the header speaks of the world's clock, not of ours
 * @param headers of the same answer: a date is counted from its Date, so that neither a wrong clock of the host nor one of
 *   ours, which may jump, makes a wait of half a minute an hour or none
 */
export function retryAfterMs(value: string | null, wallNowMs: number, headers: Dated = {}): number | null {
  if (value === null) return null
  const nowMs = cameAtMs(headers, wallNowMs)
  const waits = membersOf(value)
    .map(text => waitMs(text, nowMs))
    .filter(wait => wait !== null)
  return waits.length === 0 ? null : Math.min(longestRetryAfterMs, Math.ceil(Math.max(...waits)))
}
