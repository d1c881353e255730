import { Buffer, isAscii } from 'node:buffer'

/**
 * A page as the scanner looks at it: as numbers, one a place, and as what stands between two places, for what is taken. A
 * number costs a fraction of a `charCodeAt`, which asks each time anew how its string is kept.
 *
 * All that has a meaning in markup is ASCII, and no byte of any other character of UTF-8 is. So a page in UTF-8 is read as
 * it came, a byte a place, and only what is taken of it is decoded: most of a page is not. What is taken begins and ends
 * at ASCII or with the page, and no decoder reads on over ASCII, so that broken bytes, too, become the same U+FFFD as in
 * the whole page.
 */
export interface PageView {
  /**
   * What is not ASCII is some number above it. Behind the last is a ">" that is not of the page. They are gone when the
   * next view is made.
   */
  readonly codes: Uint8Array
  readonly length: number
  /** Whether names may have letters that are ASCII only in lower case. */
  readonly isFolding: boolean
  slice(start: number, end: number): string
}

/** Views of one page after the other. */
export interface PageViews {
  ofText(html: string): PageView
  /**
   * @param utf8 the page without its byte order mark
   * @param text what it decodes to, for the few pages that cannot be read as bytes
   */
  ofUtf8(utf8: Uint8Array, text: () => string): PageView
}

/** The numbers of larger pages are not kept. */
const keptBytes = 1 << 20

/** U+212A in UTF-8, which is "k" in lower case: the one character beyond ASCII that a name of HTML may be written with. */
const kelvinSign = Buffer.from('\u212a')

const endMark = '>'.charCodeAt(0)

export const noPage: PageView = { codes: Buffer.from([endMark]), length: 0, isFolding: false, slice: () => '' }

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0

/** Memory that is used again, of at least so many bytes. */
function createMemory(): (bytes: number) => ArrayBuffer {
  let kept = new ArrayBuffer(0)
  return bytes => {
    if (bytes > keptBytes) return new ArrayBuffer(bytes)
    if (bytes > kept.byteLength) kept = new ArrayBuffer(Math.min(bytes + (bytes >> 1), keptBytes))
    return kept
  }
}

export function createPageViews(): PageViews {
  const memory = createMemory()
  const wideMemory = createMemory()

  /** Of the same kind each time, which keeps the code that reads them fast. */
  const codesOf = (length: number): Buffer => {
    const codes = Buffer.from(memory(length + 1), 0, length + 1)
    codes[length] = endMark
    return codes
  }

  /** The code units of a string; what is beyond bytes is the last of them. By native code, all at once. */
  const write = (html: string, codes: Buffer): void => {
    const wide = Buffer.from(wideMemory(html.length * 2), 0, html.length * 2)
    wide.write(html, 'utf16le')
    if (isBigEndian) wide.swap16()
    new Uint8ClampedArray(codes.buffer, 0, html.length).set(new Uint16Array(wide.buffer, 0, html.length))
  }

  const ofText = (html: string): PageView => {
    const { length } = html
    const codes = codesOf(length)
    write(html, codes)
    return { codes, length, isFolding: html.includes('\u212a'), slice: (start, end) => html.slice(start, end) }
  }

  return {
    ofText,
    ofUtf8(utf8, textOf) {
      const { buffer, byteOffset, byteLength: length } = utf8
      const bytes = Buffer.from(buffer, byteOffset, length)
      // What the page's end cuts off may be told as its last character.
      const isOdd = (bytes[length - 1] ?? 0) > 127 || (!isAscii(bytes) && bytes.includes(kelvinSign))
      if (isOdd) return ofText(textOf())
      const codes = codesOf(length)
      codes.set(bytes)
      return { codes, length, isFolding: false, slice: (start, end) => bytes.toString('utf8', start, end) }
    },
  }
}
