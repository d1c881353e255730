/**
 * Texts with `*` (any characters) and `:name` (one or more, none of them the delimiter) in time linear in the text for
 * each part of the pattern, whatever the text is: a regular expression of several `.*` takes its power, and the paths
 * that redirects name are chosen by strangers.
 *
 * Method: the set of places in the pattern that the text so far can have reached, moved on a character at a time
 * (Thompson 1968).
 */
type Part =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'star' }
  | { readonly kind: 'name' }

const token = /\*|:[A-Za-z_$][\w$]*|[\s\S]/g

const partsOf = (text: string): readonly Part[] =>
  (text.match(token) ?? []).map((part): Part => {
    if (part === '*') return { kind: 'star' }
    return part.length > 1 ? { kind: 'name' } : { kind: 'literal', character: part }
  })

/** @param delimiter what a name stops at, one character; empty: nothing */
export function createGlob(text: string, delimiter: string): (text: string) => boolean {
  const parts = partsOf(text)
  const end = parts.length

  /** Stars may stand for nothing. */
  function enter(reached: Uint8Array, place: number): void {
    reached[place] = 1
    if (parts[place]?.kind === 'star') enter(reached, place + 1)
  }

  function step(from: Uint8Array, character: string): Uint8Array<ArrayBuffer> {
    const next = new Uint8Array(end + 1)
    for (const [place, part] of parts.entries()) {
      if (from[place] === 0) continue
      if (part.kind === 'star') enter(next, place)
      else if (part.kind === 'literal') {
        if (part.character === character) enter(next, place + 1)
      } else if (character !== delimiter) {
        next[place] = 1
        enter(next, place + 1)
      }
    }
    return next
  }

  return whole => {
    let reached = new Uint8Array(end + 1)
    enter(reached, 0)
    for (const character of whole) {
      reached = step(reached, character)
      if (!reached.includes(1)) return false
    }
    return reached[end] === 1
  }
}
