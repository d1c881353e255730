import type { PageView } from './page-view.ts'

/** Names as the numbers that a page's are compared with. */

const none = new Uint8Array(0)
const encoder = new TextEncoder()

/** Of a name in lower case. One that has more than ASCII is told by its string alone: it has none, and stands nowhere. */
export function codesOfName(name: string): Uint8Array {
  const codes = encoder.encode(name)
  return codes.length === name.length ? codes : none
}

/** Whether a name stands there, in any case. */
export function isNameAt(name: Uint8Array, codes: Uint8Array, start: number, length: number): boolean {
  if (name.length !== length) return false
  for (let index = 0; index < length; index += 1) {
    const wanted = name[index] ?? 0
    const code = codes[start + index] ?? 0
    // Most are written in lower case.
    if (code !== wanted && ((code | 32) !== wanted || wanted < 97 || wanted > 122)) return false
  }
  return true
}

/** Whether a page has such letters anywhere, in any case. */
export function isNameIn(name: Uint8Array, { codes, length }: PageView): boolean {
  const first = name[0] ?? 0
  for (let at = 0; at <= length - name.length; at += 1)
    if (((codes[at] ?? 0) | 32) === first && isNameAt(name, codes, at, name.length)) return true
  return false
}
