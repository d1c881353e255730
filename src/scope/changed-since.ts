/**
 * Dates of sitemaps (W3C: `2026`, `2026-05`, `2026-05-17`, or with a time and zone) and of feeds (`Sun, 17 May 2026
 * 10:00:00 GMT`), compared with the date from which on changes are wanted.
 */

const monthMs = 31 * 86_400_000

/** The last moment that a date may mean: a page that changed in `2026` may have changed in December. Null: no date. */
function latestMs(text: string): number | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  const beginMs = Date.parse(text)
  if (Number.isNaN(beginMs)) return null
  if (year === undefined) return beginMs
  if (month === undefined) return beginMs + 366 * 86_400_000 - 1
  return beginMs + (day === undefined ? monthMs : 86_400_000) - 1
}

/** True for what a job may write as `since`. */
export const isSinceDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text) && !Number.isNaN(Date.parse(text))

/** Whether what changed at `changed` may have changed since; what does not say when, or says nonsense, may. */
export function mayHaveChangedSince(changed: string | null, since: string): boolean {
  const atMs = changed === null ? null : latestMs(changed)
  return atMs === null || atMs >= Date.parse(since)
}
