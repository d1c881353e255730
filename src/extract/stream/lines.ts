import { blockTags, cellTags, verbatimTags } from '../line-breaks.ts'
import type { Collectors } from './collectors.ts'
import type { TagNames } from './tag-names.ts'
import type { LineBreak } from './text-log.ts'

/** Tells collectors where lines begin, for rules that have texts by lines. */
export interface Lines {
  opened(tag: number, depth: number): void
  closed(tag: number, depth: number): void
  /** Begins a page. */
  reset(): void
}

export function createLines(names: TagNames, collectors: Pick<Collectors, 'addBreak' | 'keepLines'>): Lines {
  const breaks: (LineBreak | null)[] = Array.from({ length: names.knownCount }, () => null)
  const isVerbatim: boolean[] = breaks.map(() => false)
  for (const tag of [...blockTags, 'br']) breaks[names.idOf(tag)] = 'line'
  for (const tag of cellTags) breaks[names.idOf(tag)] = 'cell'
  for (const tag of verbatimTags) isVerbatim[names.idOf(tag)] = true
  /** How many elements are open that keep their lines. */
  let kept = 0

  const breakAt = (tag: number, depth: number): void => {
    const kind = breaks[tag] ?? null
    if (kind !== null) collectors.addBreak(kind, depth)
  }
  const keep = (count: number): void => {
    kept = count
    collectors.keepLines(kept > 0)
  }

  return {
    opened(tag, depth) {
      breakAt(tag, depth)
      if (isVerbatim[tag] === true) keep(kept + 1)
    },
    closed(tag, depth) {
      if (isVerbatim[tag] === true) keep(kept - 1)
      breakAt(tag, depth)
    },
    reset: () => keep(0),
  }
}
