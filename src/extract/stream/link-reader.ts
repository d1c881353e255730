import { type FoundLink, linkAttributes } from '../links.ts'
import type { Attributes } from './attributes.ts'

/** The links of a page that the selectors of `follow` choose. */
export interface LinkReader {
  /** The element that opens fits a selector of `follow`. */
  matched(selector: number, number: number): void
  /** In the order of the selectors, and of the page. */
  found(): readonly FoundLink[]
  clear(): void
}

/** @param isTagged whether links say which selector found them */
export function createLinkReader(selectors: number, attributes: Attributes, isTagged: boolean): LinkReader {
  const slots = linkAttributes.map(attributes.slotOf)
  const rel = attributes.slotOf('rel')
  const lists: { readonly links: FoundLink[]; lastNumber: number }[] = []
  return {
    matched(selector, number) {
      const list = lists[selector]
      if (list === undefined || list.lastNumber === number) return
      list.lastNumber = number
      const slot = slots.find(attributes.has)
      const value = slot === undefined ? null : attributes.valueOf(slot)
      if (value === null) return
      const isNofollow = /\bnofollow\b/i.test(attributes.valueOf(rel) ?? '')
      list.links.push({ value, isNofollow, ...(isTagged && { rule: selector }) })
    },
    found: () => lists.flatMap(({ links }) => links),
    clear() {
      lists.length = 0
      for (let selector = 0; selector < selectors; selector += 1) lists.push({ links: [], lastNumber: -1 })
    },
  }
}
