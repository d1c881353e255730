import { normalizeEncoding } from '@exodus/bytes/encoding.js'

/**
 * "Prescan a byte stream to determine its encoding" of the HTML standard (13.2.3.2), written from its text.
 *
 * A small tokenizer that knows comments, tags and attributes, and no more: it does not know that a script holds no
 * tags, which is what browsers agree on. Bytes are read as latin1, in which every byte is one character. White space
 * is tab, line feed, form feed, carriage return, space. Whatever ends before a token does ends the scan without an
 * answer. Linear in the input.
 */

const tagOpen = /<(?:!--|meta[\t\n\f\r /]|\/?[a-z]|[!/?])/gi
const blanksAndSlashes = /[\t\n\f\r /]*/y
const blanks = /[\t\n\f\r ]*/y
/** An equals sign is part of a name only where it begins one. */
const attributeName = /=?[^\t\n\f\r />=]*/y
const unquoted = /[^\t\n\f\r >]*/y
const tagNameEnd = /[\t\n\f\r >]/g

/** A place in the text that only moves forward. */
interface Cursor {
  readonly text: string
  at: number
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const [taken = ''] = pattern.exec(cursor.text) ?? []
  cursor.at += taken.length
  return taken
}

/** The end of the text, where there is no such thing ahead. */
function skipTo(cursor: Cursor, found: number): void {
  cursor.at = found === -1 ? cursor.text.length : found
}

function takeValue(cursor: Cursor): string {
  take(cursor, blanks)
  const quote = cursor.text[cursor.at]
  if (quote !== '"' && quote !== "'") return take(cursor, unquoted)
  const start = cursor.at + 1
  const close = cursor.text.indexOf(quote, start)
  skipTo(cursor, close === -1 ? -1 : close + 1)
  return cursor.text.slice(start, cursor.at - 1)
}

/** "Get an attribute". Null: the tag has no more, or the text ended. */
function takeAttribute(cursor: Cursor): { readonly name: string; readonly value: string } | null {
  take(cursor, blanksAndSlashes)
  if (cursor.at >= cursor.text.length || cursor.text[cursor.at] === '>') return null
  const name = take(cursor, attributeName).toLowerCase()
  take(cursor, blanks)
  if (cursor.text[cursor.at] !== '=') return { name, value: '' }
  cursor.at += 1
  return { name, value: takeValue(cursor).toLowerCase() }
}

/** "Extract a character encoding from a meta element": the label in a `content` attribute. */
function charsetInContent(content: string): string | null {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(content)
  if (found === null) return null
  const rest = content.slice(found.index + found[0].length)
  const quote = rest[0]
  if (quote !== '"' && quote !== "'") return normalizeEncoding(rest.replace(/[\t\n\f\r ;].*$/s, ''))
  const close = rest.indexOf(quote, 1)
  return close === -1 ? null : normalizeEncoding(rest.slice(1, close))
}

/**
 * What a label inside a document can mean: the bytes of the tag were read as ASCII, so the page is not UTF-16;
 * x-user-defined is windows-1252 by decree. The "replacement" labels are no charset to read a page in.
 */
export function declaredInside(charset: string | null): string | null {
  if (charset === 'replacement') return null
  if (charset === 'utf-16le' || charset === 'utf-16be') return 'utf-8'
  return charset === 'x-user-defined' ? 'windows-1252' : charset
}

/** The charset that one meta tag declares; the cursor stands behind its name. */
function metaCharset(cursor: Cursor): string | null {
  const seen = new Set<string>()
  let isPragma = false
  let needsPragma: boolean | null = null
  let charset: string | null = null
  for (let found = takeAttribute(cursor); found !== null; found = takeAttribute(cursor)) {
    const { name, value } = found
    if (seen.has(name)) continue
    seen.add(name)
    if (name === 'http-equiv') isPragma = value === 'content-type'
    else if (name === 'charset') {
      charset = normalizeEncoding(value)
      needsPragma = false
    } else if (name === 'content' && needsPragma === null) {
      charset = charsetInContent(value)
      if (charset !== null) needsPragma = true
    }
  }
  const isCut = cursor.at >= cursor.text.length
  return isCut || needsPragma === null || (needsPragma && !isPragma) ? null : charset
}

/** The charset declared by the first meta tag of `text` (bytes read as latin1) that declares a known one. */
export function prescanMeta(text: string): string | null {
  const cursor: Cursor = { text, at: 0 }
  while (cursor.at < text.length) {
    tagOpen.lastIndex = cursor.at
    const open = tagOpen.exec(text)
    if (open === null) return null
    const [opening] = open
    if (opening === '<!--') {
      // The dashes of the opening may be those of the end: `<!-->` is a whole comment.
      skipTo(cursor, text.indexOf('-->', open.index + 2))
    } else if (opening.length > 3) {
      cursor.at = open.index + opening.length
      const charset = declaredInside(metaCharset(cursor))
      if (charset !== null) return charset
    } else if (/[a-z]$/i.test(opening)) {
      tagNameEnd.lastIndex = open.index
      skipTo(cursor, tagNameEnd.exec(text)?.index ?? -1)
      while (takeAttribute(cursor) !== null);
    } else {
      skipTo(cursor, text.indexOf('>', open.index))
    }
  }
  return null
}
