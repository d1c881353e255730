import { Tokenizer } from 'htmlparser2'
import type { Attributes } from './attributes.ts'
import type { TagNames } from './tag-names.ts'
import { stranger, traitsOf } from './tag-traits.ts'
import { type Coding, coding } from './text-log.ts'

/**
 * The elements and texts of a page in the order in which htmlparser2 would put them into its tree, without the tree.
 *
 * The tokens are htmlparser2's; what its Parser and DomHandler make of them is done here, on numbers: its Parser makes
 * strings of every name, value and text, keeps the open elements in an array whose *first* is the innermost, which
 * makes deep pages quadratic, and searches that array for every end tag.
 */
export interface TokenWalk {
  /** How many characters were read: all of them, or up to the tag at which `stop` was called. */
  read(html: string): number
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

export type NoteKind = 'comment' | 'cdata' | 'declaration' | 'instruction'

/** What is told of attributes, by place. */
export type AttributeEvents = Pick<Attributes, 'begin' | 'name' | 'data' | 'end'>

const lessThan = 0x3c

export function createTokenWalk(names: TagNames, attributes: AttributeEvents, events: PageEvents): TokenWalk {
  const traits = traitsOf(names)
  const noneOpen = traits.map(() => 0)
  const [p, br] = [names.idOf('p'), names.idOf('br')]
  let html = ''
  let tokenizer: Tokenizer | null = null
  /** All before it has been read: the start of a tag, or its end once its element has opened. */
  let position = 0
  let isFinishing = false
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

  const onopentagname = (start: number, end: number): void => {
    position = start - 1
    const id = names.idAt(html, start, end)
    attributes.begin(events.asksAttributes(id))
    begin(id)
  }

  const onopentagend = (end: number): void => {
    open(end + 1)
    textCoding = (traits[tag] ?? stranger).coding
  }

  const onselfclosingtag = (end: number): void => {
    const isVoid = open(end + 1)
    if (foreign.at(-1) === true && !isVoid) closeInnermost()
  }

  const onclosetag = (start: number, end: number): void => {
    position = start - 2
    // White space may stand between the slash and the name.
    while (html.charCodeAt(position) !== lessThan) position -= 1
    textCoding = coding.text
    const id = names.idAt(html, start, end)
    const { isVoid, isForeign, isHtmlIsland } = traits[id] ?? stranger
    if (isForeign || isHtmlIsland) foreign.pop()
    if (isVoid) {
      // The end of a line break is one.
      if (id === br) openEmpty(id, end)
    } else if ((openCounts[id] ?? 0) > 0) {
      while (stack[depth - 1] !== id) closeInnermost()
      closeInnermost()
    } else if (id === p) openEmpty(id, end)
    position = end
  }

  const openEmpty = (id: number, end: number): void => {
    attributes.begin(false)
    begin(id)
    if (!open(end + 1)) closeInnermost()
  }

  const ontext = (start: number, end: number): void => {
    // Of a tag that the page's end cuts off behind a slash, the last letter becomes text.
    const from = start < 0 ? html.length - 1 : start
    if (isFinishing && textCoding === coding.text) events.text(from, end, coding.none)
    else events.text(from, end, textCoding)
  }

  const ignore = (): void => {}
  const { note } = events
  /** What ends a comment is told with it, as far as it is there. */
  const noteOf = (kind: NoteKind) =>
    note === undefined ? ignore : (start: number, end: number, ending = 0) => note(kind, start, end - ending)
  const callbacks = {
    onattribdata: attributes.data,
    onattribend: attributes.end,
    onattribentity: ignore,
    onattribname: attributes.name,
    oncdata: noteOf('cdata'),
    onclosetag,
    oncomment: noteOf('comment'),
    ondeclaration: noteOf('declaration'),
    onend: ignore,
    onopentagend,
    onopentagname,
    onprocessinginstruction: noteOf('instruction'),
    onselfclosingtag,
    ontext,
    ontextentity: ignore,
  }

  const start = (page: string): void => {
    html = page
    names.reset()
    position = 0
    isFinishing = false
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
      const reader = new Tokenizer({ decodeEntities: false }, callbacks)
      tokenizer = reader
      try {
        if (page !== '') reader.write(page)
        // What is left now is the beginning of something that has no end; as text, it is not decoded.
        isFinishing = true
        const { running } = reader
        reader.end()
        return running ? page.length : position
      } finally {
        tokenizer = null
        start('')
      }
    },
    stop: () => tokenizer?.pause(),
    foreignBefore() {
      const { isVoid, isForeign, isHtmlIsland } = traits[tag] ?? stranger
      return !isVoid && (isForeign || isHtmlIsland) ? foreign.slice(0, -1) : [...foreign]
    },
  }
}
