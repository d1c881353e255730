/**
 * The name by which robots files address a user agent: what stands in front of the version (RFC 9309, 2.2.1), or what
 * a browser-like text calls itself in its comment, as in `Mozilla/5.0 (compatible; ExampleBot/2.1; +https://...)`.
 * The RFC allows letters, `_` and `-`; digits and dots are taken too, since agents in use have them. Null: it has no name.
 */
export function productToken(userAgent: string): string | null {
  const compatible = /\(compatible; *([\w.-]+)/.exec(userAgent)?.[1]
  return compatible ?? /^ *([\w.-]+)/.exec(userAgent)?.[1] ?? null
}
