import { createFormReader } from './date-form.ts'
import { isoOf } from './date-parts.ts'
import type { FieldType, ReadValue } from './field-type.ts'

/**
 * Dates that can be read one way only: ISO 8601 as the HTML standard and RFC 3339 write it, and the dates of mail and
 * HTTP (RFC 2822, with the zones and two-digit years of RFC 822). "01/02/2024" and names of months in other orders are
 * left alone, since any reading of them would be a guess, and so is a time of the twelve-hour clock behind a day.
 *
 * The result is ISO text, and as exact as what was written: an instant where a zone is given
 * ("2024-05-01T08:00:00.000Z"), a local time where none is ("2024-05-01T10:00:00"), a day ("2024-05-01") or a month.
 * Nothing depends on the zone of the machine, so `Date` is used for its arithmetic in UTC alone.
 *
 * A `format` or a `locale` says how others are to be read: see `date-form.ts`.
 */

const isoForm =
  /(?<!\d)(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d)(?:(?:[T ]|, )(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?\s?(?<zone>Z|[+-]\d\d:?\d\d)?(?!\s?[ap]\.?m))?)?(?![\d-])/i
const isoBasicForm =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>Z|[+-]\d{4})?)?$/i
const mailForm =
  /(?<!\d)(?<day>\d{1,2})[ -](?<monthName>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -](?<year>\d{4}|\d\d) (?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))? (?<zone>[+-]\d{4}|UTC?|GMT|Z|[ECMP][SD]T)(?![\w])/i

/** A text is searched this far: dates stand at the start of what holds them. */
const reach = 500

function read(text: string): string | null {
  const near = text.slice(0, reach).trim().replace(/\s+/g, ' ')
  const match = isoBasicForm.exec(near) ?? isoForm.exec(near) ?? mailForm.exec(near)
  return match?.groups === undefined ? null : isoOf(match.groups)
}

/** With a locale alone, what says by itself how it is to be read is read so. */
function createTunedReader(formats: readonly string[] | undefined, locale: string | undefined): ReadValue {
  const readForm = createFormReader(formats, locale)
  return text =>
    (formats === undefined ? read(text) : null) ?? readForm(text.slice(0, reach).trim().replace(/\s+/g, ' '))
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

export const date: FieldType = {
  attributeOf: tag => attributes.get(tag) ?? null,
  read,
  absent: null,
  tuned: ({ format, locale }) =>
    format === undefined && locale === undefined ? read : createTunedReader(format, locale),
}
