import { unbroken } from '../line-breaks.ts'
import { noPage, type PageView } from './page-view.ts'
import { decodeText, decodeTitle } from './references.ts'

/** How the references of a piece of text are to be read. */
export const coding = { none: 0, text: 1, title: 2 } as const
export type Coding = (typeof coding)[keyof typeof coding]

export type LineBreak = 'line' | 'cell'

/** Beside the coding of a piece, of which there are four at most. */
const verbatimBit = 4
const breakBits: Readonly<Record<LineBreak, number>> = { line: 8, cell: 16 }
const anyBreak = breakBits.line | breakBits.cell

/**
 * The pieces of text that have been read while somebody collects text: their places on the page, nine bytes each, so that
 * a huge page of tiny pieces stays small. Any number of collectors share them, since each begins at a piece and wants all
 * from there on.
 */
export interface TextLog {
  /**
   * Between two pieces: a new line, or a new cell. Only texts by lines have it.
   * @param hiddenDepth level of the innermost open script or style; 0: none is open
   */
  addBreak(kind: LineBreak, hiddenDepth: number): void
  /**
   * @param hiddenDepth as above
   * @param isVerbatim whether it keeps its line breaks in texts by lines
   */
  add(start: number, end: number, coding: Coding, hiddenDepth: number, isVerbatim: boolean): void
  /** Where a collector begins. */
  mark(): number
  /** All text since a mark; without what is hidden deeper than `maxHiddenDepth`. */
  since(mark: number, maxHiddenDepth: number, byLines: boolean): string
  /** Nobody collects any more. */
  clear(): void
  usePage(page: PageView): void
}

const startSize = 256
/** More than usual pages have at once; what only a huge one needed is given back. */
const keptSize = 65_536
/** Strings of so many pieces are joined before more are made. */
const batch = 1_024

const none: ReadonlySet<number> = new Set()

interface Pieces {
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly codings: Uint8Array
}

function createPieces(size: number, old: Pieces | null): Pieces {
  const pieces = { starts: new Int32Array(size), ends: new Int32Array(size), codings: new Uint8Array(size) }
  if (old === null) return pieces
  pieces.starts.set(old.starts)
  pieces.ends.set(old.ends)
  pieces.codings.set(old.codings)
  return pieces
}

export function createTextLog(): TextLog {
  let page = noPage
  let size = 0
  let pieces = createPieces(startSize, null)
  /** Pieces of scripts and styles are few: their indices, and how deep they are. */
  let hidden: number[] = []
  let hiddenDepths: number[] = []

  const textAt = (index: number, how: number): string => {
    const text = page.slice(pieces.starts[index] ?? 0, pieces.ends[index] ?? 0)
    return how === coding.none ? text : how === coding.text ? decodeText(text) : decodeTitle(text)
  }

  const pieceAt = (index: number, byLines: boolean): string => {
    const bits = pieces.codings[index] ?? 0
    if ((bits & anyBreak) !== 0) return byLines ? (bits === breakBits.line ? '\n' : '\t') : ''
    const text = textAt(index, bits & ~verbatimBit)
    return byLines && (bits & verbatimBit) === 0 ? unbroken(text) : text
  }

  const push = (start: number, end: number, bits: number): void => {
    if (size === pieces.starts.length) pieces = createPieces(size + (size >> 1), pieces)
    pieces.starts[size] = start
    pieces.ends[size] = end
    pieces.codings[size] = bits
    size += 1
  }

  /** Of the pieces from `mark` on, whose indices come in order. */
  const hiddenSince = (mark: number, maxHiddenDepth: number): ReadonlySet<number> => {
    if ((hidden.at(-1) ?? -1) < mark) return none
    const found = new Set<number>()
    for (let nth = hidden.length - 1; nth >= 0 && (hidden[nth] ?? 0) >= mark; nth -= 1)
      if ((hiddenDepths[nth] ?? 0) > maxHiddenDepth) found.add(hidden[nth] ?? 0)
    return found
  }

  /** What is pushed next is hidden, if anything is. */
  const hide = (hiddenDepth: number): void => {
    if (hiddenDepth === 0) return
    hidden.push(size)
    hiddenDepths.push(hiddenDepth)
  }

  const clear = (): void => {
    size = 0
    if (hidden.length === 0) return
    hidden = []
    hiddenDepths = []
  }

  return {
    addBreak(kind, hiddenDepth) {
      hide(hiddenDepth)
      push(0, 0, breakBits[kind])
    },
    add(start, end, how, hiddenDepth, isVerbatim) {
      hide(hiddenDepth)
      push(start, end, isVerbatim ? how | verbatimBit : how)
    },
    mark: () => size,
    since(mark, maxHiddenDepth, byLines) {
      const left = hiddenSince(mark, maxHiddenDepth)
      if (size - mark === 1 && left.size === 0) return pieceAt(mark, byLines)
      let text = ''
      let texts: string[] = []
      for (let index = mark; index < size; index += 1) {
        if (left.has(index) || texts.push(pieceAt(index, byLines)) < batch) continue
        text += texts.join('')
        texts = []
      }
      return text + texts.join('')
    },
    clear,
    usePage(next) {
      page = next
      clear()
      if (pieces.starts.length > keptSize) pieces = createPieces(startSize, null)
    },
  }
}
