import { type MarkupStart, markupOf } from './markup.ts'
import { type Coding, createTextLog } from './text-log.ts'

/** What is known of an element only when it ends: its text and its markup. Ended in turn, the innermost first. */
export interface Collectors {
  /** Calls back when the element at this depth ends. */
  onEnd(depth: number, ended: () => void): void
  /** @param maxHiddenDepth scripts and styles that are deeper are left out */
  text(depth: number, maxHiddenDepth: number, ended: (text: string) => void): void
  /** Tells null where only the tree has it. */
  markup(depth: number, start: MarkupStart, ended: (html: string | null) => void): void
  /** How many have begun and not ended. */
  count(): number
  elementOpened(depth: number, isHidden: boolean): void
  elementClosed(depth: number, isHidden: boolean, end: number): void
  addText(start: number, end: number, coding: Coding): void
  /** All that are left end with the page. */
  endAll(): void
  /** Begins a page; of no page, forgets the last one. */
  usePage(html: string): void
}

interface Collector {
  readonly depth: number
  end(at: number): void
}

export function createCollectors(): Collectors {
  const log = createTextLog()
  const open: Collector[] = []
  /** Levels of the open scripts and styles. */
  const hidden: number[] = []
  let html = ''
  let texts = 0

  const endLast = (at: number): void => open.pop()?.end(at)

  return {
    onEnd(depth, ended) {
      open.push({ depth, end: ended })
    },
    text(depth, maxHiddenDepth, ended) {
      const mark = log.mark()
      texts += 1
      open.push({
        depth,
        end() {
          ended(log.since(mark, maxHiddenDepth))
          texts -= 1
          if (texts === 0) log.clear()
        },
      })
    },
    markup(depth, start, ended) {
      open.push({ depth, end: at => ended(markupOf(html, start, at)) })
    },
    count: () => open.length,
    elementOpened(depth, isHidden) {
      if (isHidden) hidden.push(depth)
    },
    elementClosed(depth, isHidden, end) {
      while (open.at(-1)?.depth === depth) endLast(end)
      if (isHidden) hidden.pop()
    },
    addText(start, end, coding) {
      if (texts > 0) log.add(start, end, coding, hidden.at(-1) ?? 0)
    },
    endAll() {
      while (open.length > 0) endLast(html.length)
    },
    usePage(page) {
      html = page
      open.length = 0
      hidden.length = 0
      texts = 0
      log.usePage(page)
    },
  }
}
