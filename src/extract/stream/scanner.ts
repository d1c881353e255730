import { isWrittenAt, placeOf, placeOfEnd } from './page-search.ts'
import { noPage, type PageView } from './page-view.ts'
import { isRawBeginning, rawEndOf, titleEnd } from './raw-texts.ts'

/**
 * The tokens of a page: tags, attributes, texts and notes, as places.
 *
 * **The same as** what htmlparser2 10.1's Tokenizer tells of a page that is written to it at once, without decoding: the
 * same pieces, in the same order, at the same places, also of what is broken, cut off or odd. The tree that users of
 * cheerio know is made of these, so what looks like a mistake below is what that reader does: a slash does not end the
 * name of an end tag, `<tmp>` is taken for an `<xmp>`, a character of a declaration is overlooked, and what the page's
 * end cuts off is text here and nothing there.
 *
 * **Faster**, in well under half of the time: that reader asks for each character in which of 26 states it is, and state,
 * place and all else live in an object, between two characters of a name as between two tags. Here the state is where
 * the code stands: a start tag with its attributes is one function over local variables, a name is a loop that compares
 * most characters once (nothing beyond `>` ends anything), and where text, quoted values, scripts and comments end is
 * sought near by at first and then by native code, which compares many at once and is as fast in a thread that has just
 * begun. Attributes are told whole, and only those of tags for which they are asked.
 *
 * **Checked** against that Tokenizer, token by token, on documents made of all that a tokenizer can stumble over and on
 * real pages, whole and mutilated (`test/extract/scanner.test.ts`).
 */
export interface Scanner {
  /** Tells all of a page, or as far as `stop` is called. */
  read(page: PageView): void
  /** To be called during an event of a tag: nothing follows it, but the end of a start tag that has nothing but its name. */
  stop(): void
  /** Whether it was called for the page that was read last. */
  isStopped(): boolean
}

/** Places are those of the page, `end` is that of the first character behind. */
export interface ScanEvents {
  /** @param isCut the page ends inside of something that begins with it: a tag, a comment, a declaration */
  text(start: number, end: number, isCut: boolean): void
  /** A start tag has this name. @returns whether its attributes are to be told */
  tagNamed(start: number, end: number): boolean
  /** Without a value, the value's places are 0. */
  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, quote: Quote): void
  /** A start tag ends before `end`. */
  tagEnded(end: number, isSelfClosing: boolean): void
  /** @param open where the tag begins; `start` to `end` is its name */
  endTag(open: number, start: number, end: number): void
  note(kind: NoteKind, start: number, end: number): void
}

export type NoteKind = 'comment' | 'cdata' | 'declaration' | 'instruction'

/** How the value of an attribute is written; none: it has none. */
export const quote = { none: 0, unquoted: 1, single: 2, double: 3 } as const
export type Quote = (typeof quote)[keyof typeof quote]

const [doubleQuote, singleQuote, dash, slash, lessThan, equals, greaterThan] = [34, 39, 45, 47, 60, 61, 62]
const [exclamation, question, bracket] = [33, 63, 93]
const dashes = [dash, dash]
const cdata = [91, 67, 68, 65, 84, 65, 91]

/** Bits of what a character is, for those up to `>`, beyond which none ends anything. */
const space = 1
const sectionEnd = 2
const nameEnd = 4
const valueEnd = 8
const kinds = new Uint8Array(greaterThan + 1)
for (const code of [9, 10, 12, 13, 32]) kinds[code] = space | sectionEnd | nameEnd | valueEnd
kinds[slash] = sectionEnd | nameEnd
kinds[equals] = nameEnd
kinds[greaterThan] = sectionEnd | nameEnd | valueEnd

/** The loops below ask only about codes up to `>`, which is also what stands behind the page's end, and ends everything. */
const ends = (kind: number, code: number): boolean => ((kinds[code] ?? 0) & kind) !== 0
const isSpace = (code: number): boolean => code <= 32 && ((kinds[code] ?? 0) & space) !== 0
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122

export function createScanner(events: ScanEvents): Scanner {
  let page = noPage
  let length = 0
  /** Where the text begins that is being read. */
  let from = 0
  let isStopped = false

  const codeAt = (at: number): number => page.codes[at] ?? greaterThan

  /** The page ends in something that is text from here on. */
  const cut = (start: number): number => {
    if (start < length) events.text(start, length, true)
    return drop()
  }

  /** The page ends in something that is nothing then. */
  const drop = (): number => {
    from = length
    return length
  }

  /** What is read ends before a place, and text begins there. */
  const goOn = (at: number): number => {
    from = at
    return at
  }

  /** @returns where to go on; text begins there, unless what is read goes on being text */
  const markup = (open: number): number => {
    const at = open + 1
    if (at === length) return cut(open)
    const code = codeAt(at)
    if (isLetter(code)) return startTag(at)
    if (code === slash) return endTag(open)
    if (code === exclamation) return declaration(at + 1)
    return code === question ? noteUpTo('instruction', at + 1, at + 1) : at
  }

  /** All in one, with local variables: it is where most of the time is spent that a page takes. */
  const startTag = (start: number): number => {
    const { codes, length } = page
    let at = start + 1
    let code = codes[at] ?? greaterThan
    while (code > greaterThan || !ends(sectionEnd, code)) code = codes[++at] ?? greaterThan
    const end = at
    if (end === length) return isRawBeginning(page, start) ? cut(start) : drop()
    const isAsked = events.tagNamed(start, end)
    if (isStopped && code !== greaterThan) return end
    for (;;) {
      while (isSpace(code)) code = codes[++at] ?? greaterThan
      if (code === greaterThan) return at < length ? startTagEnded(start, end, at + 1) : drop()
      if (code === slash) {
        do code = codes[++at] ?? greaterThan
        while (isSpace(code))
        // What is left is its last character.
        if (at === length) return cut(length - 1)
        if (code !== greaterThan) continue
        events.tagEnded(at + 1, true)
        return goOn(at + 1)
      }
      // Whatever its first character is, it is the name of an attribute.
      const nameStart = at
      do code = codes[++at] ?? greaterThan
      while (code > greaterThan || !ends(nameEnd, code))
      const nameStop = at
      while (isSpace(code)) code = codes[++at] ?? greaterThan
      if (at >= length) return drop()
      let valueStart = 0
      let valueStop = 0
      let how: Quote = quote.none
      if (code === equals) {
        do code = codes[++at] ?? greaterThan
        while (isSpace(code))
        valueStart = at
        if (code === doubleQuote || code === singleQuote) {
          how = code === doubleQuote ? quote.double : quote.single
          valueStart += 1
          valueStop = placeOf(code, page, valueStart)
          if (valueStop < 0) return drop()
          at = valueStop + 1
        } else {
          how = quote.unquoted
          while (code > greaterThan || !ends(valueEnd, code)) code = codes[++at] ?? greaterThan
          valueStop = at
          if (at >= length) return drop()
        }
        code = codes[at] ?? greaterThan
      }
      if (!isAsked) continue
      events.attribute(nameStart, nameStop, valueStart, valueStop, how)
      if (isStopped) return at
    }
  }

  const startTagEnded = (start: number, end: number, after: number): number => {
    events.tagEnded(after, false)
    goOn(after)
    const rawEnd = rawEndOf(page.codes, start, end)
    return rawEnd === null || isStopped ? after : rawText(after, rawEnd)
  }

  const endTag = (open: number): number => {
    let start = open + 2
    let code = codeAt(start)
    while (isSpace(code)) code = codeAt(++start)
    if (start === length) return cut(open)
    // It goes on being text.
    if (code === greaterThan) return start + 1
    if (!isLetter(code)) return noteUpTo('comment', start, start)
    let end = start + 1
    code = codeAt(end)
    while (code > greaterThan || !ends(valueEnd, code)) code = codeAt(++end)
    return end === length ? drop() : endTagNamed(open, start, end)
  }

  const endTagNamed = (open: number, start: number, end: number): number => {
    events.endTag(open, start, end)
    if (isStopped) return end
    const close = codeAt(end) === greaterThan ? end : placeOf(greaterThan, page, end)
    return close < 0 ? cut(length - 1) : goOn(close + 1)
  }

  /** @param start behind "<!" */
  const declaration = (start: number): number => {
    if (isWrittenAt(dashes, page, start)) {
      // The dashes may be those of its end.
      const end = placeOfEnd(dash, page, start)
      return noteTo('comment', start + 2, end < 0 ? -1 : Math.max(end, start + 2), end + 3)
    }
    if (isWrittenAt(cdata, page, start)) {
      const end = placeOfEnd(bracket, page, start + 7)
      return noteTo('cdata', start + 7, end, end + 3)
    }
    // The first character is overlooked, and so is the one behind a dash.
    return noteUpTo('declaration', start, codeAt(start) === dash ? start + 2 : start + 1)
  }

  /** It ends at the first ">" from `at` on; where there is none it is text. */
  const noteUpTo = (kind: NoteKind, start: number, at: number): number => {
    const end = placeOf(greaterThan, page, at)
    if (end < 0) return cut(start)
    events.note(kind, start, end)
    return goOn(end + 1)
  }

  /** It ends with the page where it has no end. */
  const noteTo = (kind: NoteKind, start: number, end: number, after: number): number => {
    if (end >= 0) {
      events.note(kind, start, end)
      return goOn(after)
    }
    if (start < length) events.note(kind, start, length)
    return drop()
  }

  /** Up to the end tag that is asked for; on control characters, bit 5 is ignored as it is on letters. */
  const rawText = (start: number, end: string): number => {
    let matched = 0
    const { codes } = page
    for (let at = start; at < length; at += 1) {
      const code = codes[at] ?? greaterThan
      if (matched === end.length) {
        if (code === greaterThan || isSpace(code)) {
          const open = at - matched
          if (open > start) events.text(start, open, false)
          return endTagNamed(open, open + 2, at)
        }
        matched = 0
      }
      if ((code | 32) === end.charCodeAt(matched)) matched += 1
      else if (matched > 0) matched = code === lessThan ? 1 : 0
      else if (end !== titleEnd) {
        const open = placeOf(lessThan, page, at + 1)
        if (open < 0) break
        at = open
        matched = 1
      }
    }
    if (matched > 0) return cut(start)
    if (start < length) events.text(start, length, false)
    return drop()
  }

  const scan = (): void => {
    let at = 0
    while (at < length && !isStopped) {
      const open = placeOf(lessThan, page, at)
      if (open < 0) break
      if (open > from) events.text(from, open, false)
      from = open
      at = markup(open)
    }
    if (from < length && !isStopped) events.text(from, length, false)
  }

  const usePage = (next: PageView): void => {
    page = next
    length = next.length
    from = 0
  }

  return {
    read(next) {
      usePage(next)
      isStopped = false
      try {
        scan()
      } finally {
        usePage(noPage)
      }
    },
    stop() {
      isStopped = true
    },
    isStopped: () => isStopped,
  }
}
