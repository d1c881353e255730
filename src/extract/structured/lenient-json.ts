import type { JsonValue } from '../../core/wire.ts'

/**
 * JSON as pages write it. Three slips are forgiven, since each can be read in one way only: the wrappings that once hid
 * scripts (`<!-- -->`, `//<![CDATA[ ]]>`), raw control characters inside a string (a line break in a description), and a
 * comma before `}` or `]`, or a semicolon behind the value. Whatever else is wrong is not guessed at.
 */

const wrappings: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--/, /(?:\/\/\s*)?-->$/],
  [/^(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\s*\*\/)?/, /(?:\/\/|\/\*)?\s*\]\]>(?:\s*\*\/)?$/],
]

/** Ends are looked for in the last characters alone: a long run of white space would be walked again and again. */
const endReach = 64

function unwrapped(text: string): string {
  let inner = text.trim()
  for (const [start, end] of wrappings) {
    const opening = start.exec(inner)
    const closing = end.exec(inner.slice(-endReach))
    if (opening === null || closing === null) continue
    const last = inner.length - closing[0].length
    if (last >= opening[0].length) inner = inner.slice(opening[0].length, last).trim()
  }
  return inner.endsWith(';') ? inner.slice(0, -1) : inner
}

/** `undefined`: it is no JSON. */
export function parseLenient(text: string): JsonValue | undefined {
  const plain = parse(text)
  if (plain !== undefined) return plain
  const inner = unwrapped(text)
  return parse(inner) ?? parse(mended(inner))
}

/** JSON has no undefined, so it can say that there is none. */
function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20]

/** One pass that knows strings from the rest, and leaves everything that it does not mend. */
function mended(text: string): string {
  let result = ''
  let kept = 0
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash && isString) at += 1
    else if (code === quote) isString = !isString
    else if (isString && code < space) {
      result += `${text.slice(kept, at)}\\u${code.toString(16).padStart(4, '0')}`
      kept = at + 1
    } else if (code === comma && !isString && isLast(text, at + 1)) {
      result += text.slice(kept, at)
      kept = at + 1
    }
  }
  return result + text.slice(kept)
}

/** Whether what comes next ends a list or a map. */
function isLast(text: string, start: number): boolean {
  let at = start
  while (text.charCodeAt(at) <= space) at += 1
  return text[at] === '}' || text[at] === ']'
}
