import { foreignTags, htmlIslandTags, impliedEnds, rawTextTags, titleTags, voidTags } from './html-rules.ts'
import type { TagNames } from './tag-names.ts'
import { type Coding, coding } from './text-log.ts'

/** What the rules of HTML say of a tag. */
export interface TagTraits {
  /** Tags that it ends as long as one of them is the innermost open element. */
  readonly ends: ReadonlySet<number> | null
  readonly isVoid: boolean
  readonly isForeign: boolean
  readonly isHtmlIsland: boolean
  /** How text inside is read. */
  readonly coding: Coding
}

/** Of a name that no rule knows. */
export const stranger: TagTraits = {
  ends: null,
  isVoid: false,
  isForeign: false,
  isHtmlIsland: false,
  coding: coding.text,
}

/** By number of the tag. */
export function traitsOf(names: TagNames): readonly TagTraits[] {
  return Array.from({ length: names.knownCount }, (_, id): TagTraits => {
    const name = names.nameOf(id)
    const ends = impliedEnds.get(name)
    return {
      ends: ends === undefined ? null : new Set(ends.map(names.idOf)),
      isVoid: voidTags.includes(name),
      isForeign: foreignTags.includes(name),
      isHtmlIsland: htmlIslandTags.includes(name),
      coding: titleTags.includes(name) ? coding.title : rawTextTags.includes(name) ? coding.none : coding.text,
    }
  })
}
