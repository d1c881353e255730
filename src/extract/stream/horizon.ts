/**
 * Whether a page can still hold an element of some names. A head-only job has no end by itself: where a page has no
 * canonical link, one could still come in its last line. But no element comes without its tag, and to see that
 * "<link" does not come is far cheaper than to read.
 */
export interface Horizon {
  /** The place of the first tag from `start` on that may be of such a name, or -1. */
  next(html: string, start: number): number
}

export function createHorizon(tags: readonly string[]): Horizon {
  const names = new Set(tags)
  const longest = Math.max(0, ...tags.map(tag => tag.length))
  const initials = new Uint8Array(128)
  for (const tag of tags) initials[tag.charCodeAt(0) & 127] = 1

  /** A name ends at white space, a slash or the end of its tag. Some longer ones are let through. */
  const isNamed = (html: string, start: number): boolean => {
    const name = html.slice(start, start + longest + 1)
    const end = name.search(/[\s/>]/)
    return names.has((end < 0 ? name.slice(0, longest) : name.slice(0, end)).toLowerCase())
  }

  return {
    next(html, start) {
      let at = html.indexOf('<', start)
      while (at >= 0) {
        const initial = html.charCodeAt(at + 1) | 32
        if (initials[initial] === 1 && isNamed(html, at + 1)) return at
        at = html.indexOf('<', at + 1)
      }
      return -1
    },
  }
}
