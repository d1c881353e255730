import type { Place } from './element-test.ts'

/** Counts the children of each open element, for `:nth-child()`, and those of each name, for `:nth-of-type()`. */
export interface SiblingCounts {
  /** An element opens; tells its place what was before it. */
  opened(tag: number, depth: number, place: Place): void
  reset(): void
}

export function createSiblingCounts(wants: { readonly all: boolean; readonly alike: boolean }): SiblingCounts {
  /** By depth of the parent. */
  let all: number[] = [0]
  let alike: Map<number, number>[] = [new Map()]
  return {
    opened(tag, depth, place) {
      if (wants.all) {
        const before = all[depth - 1] ?? 0
        place.siblingsBefore = before
        all[depth - 1] = before + 1
        all[depth] = 0
      }
      if (!wants.alike) return
      const counts = alike[depth - 1]
      place.alikeBefore = counts?.get(tag) ?? 0
      counts?.set(tag, place.alikeBefore + 1)
      const own = alike[depth]
      if (own === undefined) alike[depth] = new Map()
      else if (own.size > 0) own.clear()
    },
    reset() {
      all = [0]
      alike = [new Map()]
    },
  }
}
