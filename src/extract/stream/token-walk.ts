import type { Attributes } from './attributes.ts'
import { noPage, type PageView } from './page-view.ts'
import { createScanner, type NoteKind } from './scanner.ts'
import type { TagNames } from './tag-names.ts'
import { stranger, traitsOf } from './tag-traits.ts'
import { type Coding, coding } from './text-log.ts'

/**
 * The elements and texts of a page in the order in which htmlparser2 would put them into its tree, without the tree.
 *
 * The tokens are those of its Tokenizer (`scanner.ts`); what its Parser and DomHandler make of them is done here, on
 * numbers: its Parser makes strings of every name, value and text, keeps the open elements in an array whose *first* is
 * the innermost, which makes deep pages quadratic, and searches that array for every end tag.
 */
export interface TokenWalk {
  /** How many characters were read: all of them, or up to the tag at which `stop` was called. */
  read(page: PageView): number
  /** To be called while an element opens or ends: nothing more is read. */
  stop(): void
  /** To be called while an element opens: the foreign contexts that it was met in. */
  foreignBefore(): readonly boolean[]
}

export interface PageEvents {
  /** `depth` is 1 at the top, `start` to `end` is the tag. The attributes are there until the next tag. */
  opened(tag: number, depth: number, start: number, end: number): void
  /** `end` is where the element's content ends. */
  closed(tag: number, depth: number, end: number): void
  text(start: number, end: number, coding: Coding): void
  /** Whether attributes of such an element matter. */
  asksAttributes(tag: number): boolean
  /** What is neither an element nor text; `start` to `end` is what it says. */
  note?(kind: NoteKind, start: number, end: number): void
}

/** What is told of attributes, by place. */
export type AttributeEvents = Pick<Attributes, 'begin' | 'add'>

export function createTokenWalk(names: TagNames, attributes: AttributeEvents, events: PageEvents): TokenWalk {
  const traits = traitsOf(names)
  const noneOpen = traits.map(() => 0)
  const [p, br] = [names.idOf('p'), names.idOf('br')]
  /** All before it has been read: the start of a tag, or its end once its element has opened. */
  let position = 0
  let stack = new Int32Array(64)
  let depth = 0
  /** How often each name is open: most end tags without a start tag need no search. */
  let openCounts: number[] = []
  let tag = -1
  let textCoding: Coding = coding.text
  /** Whether `/>` ends an element here; it is not kept in step with the elements, and neither is htmlparser2's. */
  let foreign: boolean[] = []

  const closeInnermost = (): void => {
    const id = stack[depth - 1] ?? -1
    events.closed(id, depth, position)
    depth -= 1
    openCounts[id] = (openCounts[id] ?? 1) - 1
  }

  const begin = (id: number): void => {
    tag = id
    const { ends, isVoid, isForeign, isHtmlIsland } = traits[id] ?? stranger
    if (ends !== null) while (depth > 0 && ends.has(stack[depth - 1] ?? -1)) closeInnermost()
    if (isVoid) return
    if (depth === stack.length) {
      const grown = new Int32Array(depth * 2)
      grown.set(stack)
      stack = grown
    }
    stack[depth] = id
    depth += 1
    openCounts[id] = (openCounts[id] ?? 0) + 1
    if (isForeign) foreign.push(true)
    else if (isHtmlIsland) foreign.push(false)
  }

  /** The innermost element has all of its tag, or an element without content has. */
  const open = (end: number): boolean => {
    const { isVoid } = traits[tag] ?? stranger
    const at = isVoid ? depth + 1 : depth
    const start = position
    position = end
    events.opened(tag, at, start, end)
    if (isVoid) events.closed(tag, at, end)
    return isVoid
  }

  const openEmpty = (id: number, end: number): void => {
    attributes.begin()
    begin(id)
    if (!open(end)) closeInnermost()
  }

  const ignore = (): void => {}
  const scanner = createScanner({
    text(start, end, isCut) {
      // The beginning of something that has no end is not decoded.
      events.text(start, end, isCut && textCoding === coding.text ? coding.none : textCoding)
    },
    tagNamed(start, end) {
      position = start - 1
      const id = names.idAt(start, end)
      attributes.begin()
      begin(id)
      return events.asksAttributes(id)
    },
    attribute: attributes.add,
    tagEnded(end, isSelfClosing) {
      const isVoid = open(end)
      if (!isSelfClosing) textCoding = (traits[tag] ?? stranger).coding
      else if (foreign.at(-1) === true && !isVoid) closeInnermost()
    },
    endTag(open, start, end) {
      position = open
      textCoding = coding.text
      // Most end tags end what is innermost.
      const innermost = stack[depth - 1] ?? -1
      const id = depth > 0 && names.isAt(innermost, start, end) ? innermost : names.idAt(start, end)
      const { isVoid, isForeign, isHtmlIsland } = traits[id] ?? stranger
      if (isForeign || isHtmlIsland) foreign.pop()
      if (isVoid) {
        // The end of a line break is one.
        if (id === br) openEmpty(id, end + 1)
      } else if ((openCounts[id] ?? 0) > 0) {
        while (stack[depth - 1] !== id) closeInnermost()
        closeInnermost()
      } else if (id === p) openEmpty(id, end + 1)
      position = end
    },
    note: events.note ?? ignore,
  })

  const start = (page: PageView): void => {
    names.usePage(page)
    position = 0
    if (stack.length > 65_536) stack = new Int32Array(64)
    depth = 0
    openCounts = [...noneOpen]
    tag = -1
    textCoding = coding.text
    foreign = [false]
  }

  return {
    read(page) {
      start(page)
      try {
        scanner.read(page)
        return scanner.isStopped() ? position : page.length
      } finally {
        start(noPage)
      }
    },
    stop: scanner.stop,
    foreignBefore() {
      const { isVoid, isForeign, isHtmlIsland } = traits[tag] ?? stranger
      return !isVoid && (isForeign || isHtmlIsland) ? foreign.slice(0, -1) : [...foreign]
    },
  }
}
