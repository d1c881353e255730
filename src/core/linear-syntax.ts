/**
 * A regular expression of JavaScript, written as RE2 reads it. The two differ in what an escape, a dot and a bracket mean,
 * and RE2 has nothing that needs going back in the text: no look-around, no references to groups.
 */

/** What `\s` is in JavaScript, and all that is not: inside brackets RE2 takes neither a negation nor a name of it. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const anyButLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]'
const anything = '[\\x{0}-\\x{10ffff}]'
const nothing = '[^\\x{0}-\\x{10ffff}]'

const opening = /\((?:\?(?::|i:|<(?![=!])[^>]*>))?(?!\?)/y
const quantifier = /[*+?]\??|\{\d+(?:,\d*)?\}\??/y
const token = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|[\s\S])|[\s\S]/iuy

/** Of one escape that stands for one character: its code. Null: it is none. */
function codeOf(written: string): number | null {
  const hex = /^\\(?:u\{?|x)([\da-f]{2,})\}?$/i.exec(written)?.[1]
  if (hex !== undefined) return Number.parseInt(hex, 16)
  if (/^\\c[a-z]$/i.test(written)) return written.charCodeAt(2) & 31
  return written === '\\0' ? 0 : null
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff
const literal = (text: string): string => (/^[\w\s]|^[^\0-\x7f]/u.test(text) ? text : `\\${text}`)

/** An escape as RE2 writes it; null where RE2 has no such thing. */
function escapeFor(written: string, isUnicode: boolean, isInClass: boolean): string | null {
  const code = codeOf(written)
  if (code !== null) return isSurrogate(code) ? null : `\\x{${code.toString(16)}}`
  const name = written.slice(1)
  if (/^[dDwWnrtfv]$/.test(name)) return written
  if (name === 's') return isInClass ? space : `[${space}]`
  if (name === 'S') return isInClass ? notSpace : `[^${space}]`
  if (name === 'b') return isInClass ? '\\x{8}' : written
  if (name === 'B' && !isInClass) return written
  if (/^p/i.test(name)) return isUnicode && name.length > 1 ? written : literal(name)
  // References to groups, octal numbers, strings in classes.
  if (/^[\dkq]/.test(name)) return null
  return literal(name)
}

interface Source {
  readonly text: string
  readonly flags: string
  at: number
}

function take(source: Source, expression: RegExp): string | null {
  expression.lastIndex = source.at
  const found = expression.exec(source.text)?.[0] ?? null
  source.at += found?.length ?? 0
  return found
}

function classFor(source: Source): string | null {
  const isSets = source.flags.includes('v')
  const isUnicode = isSets || source.flags.includes('u')
  let written = ''
  source.at += 1
  const isNegated = source.text[source.at] === '^'
  if (isNegated) source.at += 1
  while (source.text[source.at] !== ']') {
    // Sets within sets, differences and intersections.
    if (isSets && (source.text[source.at] === '[' || /^(?:--|&&)/.test(source.text.slice(source.at, source.at + 2))))
      return null
    const part = take(source, token)
    if (part === null) return null
    const piece = part.startsWith('\\') ? escapeFor(part, isUnicode, true) : part === '-' ? part : literal(part)
    if (piece === null) return null
    written += piece
  }
  source.at += 1
  if (written === '') return isNegated ? anything : nothing
  return `[${isNegated ? '^' : ''}${written}]`
}

function pieceFor(source: Source): string | null {
  const { text, flags } = source
  const character = text[source.at]
  if (character === '[') return classFor(source)
  // Look-around, and flags that change what a dot or a line is.
  if (character === '(') return take(source, opening)
  const repeated = take(source, quantifier)
  if (repeated !== null) return repeated
  const part = take(source, token)
  if (part === null) return null
  if (part.startsWith('\\')) return escapeFor(part, /[uv]/.test(flags), false)
  if (part === '.') return flags.includes('s') ? anything : anyButLineEnd
  return /^[)|^$]$/.test(part) ? part : literal(part)
}

/**
 * The expression for RE2; null where RE2 has no such thing. `^` and `$` of lines (flag `m`) are not the same in both.
 * @param text a regular expression that JavaScript compiles with these flags
 */
export function linearSyntaxOf(text: string, flags: string): string | null {
  if (/[my]/.test(flags)) return null
  const source: Source = { text, flags, at: 0 }
  let written = flags.includes('i') ? '(?i)' : ''
  while (source.at < text.length) {
    const piece = pieceFor(source)
    if (piece === null) return null
    written += piece
  }
  return written
}
