import type { TreeElement } from '../dom/node.ts'
import { elementOf, type MarkupStart } from './markup.ts'
import { noPage, type PageView } from './page-view.ts'
import { type Coding, createTextLog, type LineBreak, type TextLog } from './text-log.ts'

/** What is known of an element only when it ends: its text and its markup. Ended in turn, the innermost first. */
export interface Collectors {
  /** Calls back when the element at this depth ends. */
  onEnd(depth: number, ended: () => void): void
  /** @param maxHiddenDepth scripts and styles that are deeper are left out */
  text(depth: number, maxHiddenDepth: number, byLines: boolean, ended: (text: string) => void): void
  /** Text that stands in the element itself. */
  ownText(depth: number, byLines: boolean, ended: (text: string) => void): void
  /** The element as a tree; tells null where only that of the whole page has it. */
  element(depth: number, start: MarkupStart, ended: (element: TreeElement | null) => void): void
  /** How many have begun and not ended. */
  count(): number
  elementOpened(depth: number, isHidden: boolean): void
  elementClosed(depth: number, isHidden: boolean, end: number): void
  addText(start: number, end: number, coding: Coding): void
  /** Before an element opens at this depth, or when it has ended. For texts by lines. */
  addBreak(kind: LineBreak, depth: number): void
  /** Whether texts keep their line breaks from now on. */
  keepLines(isVerbatim: boolean): void
  /** All that are left end with the page. */
  endAll(): void
  /** Begins a page; of no page, forgets the last one. */
  usePage(page: PageView): void
}

interface Collector {
  readonly depth: number
  end(at: number): void
}

/** The own text of one open element. */
interface OwnText {
  readonly depth: number
  readonly log: TextLog
  /** How many want it. */
  users: number
}

export function createCollectors(): Collectors {
  const log = createTextLog()
  const open: Collector[] = []
  /** Levels of the open scripts and styles. */
  const hidden: number[] = []
  const ownTexts: OwnText[] = []
  /** Used again, since a list of many is made of them one after the other. */
  const spareLogs: TextLog[] = []
  let page = noPage
  let texts = 0
  let isVerbatim = false
  /** Of the innermost open element. */
  let innermost = 0

  /** Elements end in turn, so that of one depth there is only one. */
  const ownTextAt = (depth: number): OwnText => {
    const last = ownTexts.at(-1)
    if (last?.depth === depth) return last
    const log = spareLogs.pop() ?? createTextLog()
    log.usePage(page)
    const own = { depth, log, users: 0 }
    ownTexts.push(own)
    return own
  }

  const endLast = (at: number): void => open.pop()?.end(at)

  return {
    onEnd(depth, ended) {
      open.push({ depth, end: ended })
    },
    text(depth, maxHiddenDepth, byLines, ended) {
      const mark = log.mark()
      texts += 1
      open.push({
        depth,
        end() {
          ended(log.since(mark, maxHiddenDepth, byLines))
          texts -= 1
          if (texts === 0) log.clear()
        },
      })
    },
    ownText(depth, byLines, ended) {
      const own = ownTextAt(depth)
      const { log } = own
      own.users += 1
      open.push({
        depth,
        end() {
          ended(log.since(0, 0, byLines))
          own.users -= 1
          if (own.users > 0) return
          ownTexts.pop()
          spareLogs.push(log)
        },
      })
    },
    element(depth, start, ended) {
      open.push({ depth, end: at => ended(elementOf(page, start, at)) })
    },
    count: () => open.length,
    elementOpened(depth, isHidden) {
      innermost = depth
      if (isHidden) hidden.push(depth)
    },
    elementClosed(depth, isHidden, end) {
      innermost = depth - 1
      while (open.at(-1)?.depth === depth) endLast(end)
      if (isHidden) hidden.pop()
    },
    addText(start, end, coding) {
      if (texts > 0) log.add(start, end, coding, hidden.at(-1) ?? 0, isVerbatim)
      if (ownTexts.length === 0) return
      const own = ownTexts.at(-1)
      if (own?.depth === innermost) own.log.add(start, end, coding, 0, isVerbatim)
    },
    addBreak(kind, depth) {
      if (texts > 0) log.addBreak(kind, hidden.at(-1) ?? 0)
      const own = ownTexts.at(-1)
      if (own?.depth === depth - 1) own.log.addBreak(kind, 0)
    },
    keepLines(isKept) {
      isVerbatim = isKept
    },
    endAll() {
      while (open.length > 0) endLast(page.length)
    },
    usePage(next) {
      page = next
      open.length = 0
      hidden.length = 0
      texts = 0
      isVerbatim = false
      ownTexts.length = 0
      for (const spare of spareLogs) spare.usePage(noPage)
      innermost = 0
      log.usePage(next)
    },
  }
}
