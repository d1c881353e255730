/** Directives of a Cache-Control header (RFC 9111, 5.2) by their lower-case names; the value where there is one. */
export type Directives = ReadonlyMap<string, string | null>

const directive = /([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g

/** RFC 9111, 1.2.2: what is larger is taken for this. */
const longestSeconds = 2 ** 31

/** Of a directive given twice the first counts, but for ages, where the shorter does: it is wrong to nobody. */
export function directivesOf(header: string | undefined): Directives {
  const found = new Map<string, string | null>()
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(directive)) {
    const key = name.toLowerCase()
    const value = quoted ?? plain ?? null
    const known = found.get(key)
    if (known === undefined || (known !== null && value !== null && Number(value) < Number(known)))
      found.set(key, value)
  }
  return found
}

/** Null where it is missing; 0 where it is no number of seconds: what cannot be understood is stale (RFC 9111, 4.2.1). */
export function secondsOf(directives: Directives, name: string): number | null {
  const value = directives.get(name)
  if (value === undefined) return null
  return value !== null && /^\d+$/.test(value) ? Math.min(Number(value), longestSeconds) : 0
}
