import { createHorizon, type Horizon } from './horizon.ts'
import { noPage, type PageView } from './page-view.ts'
import type { TagNames } from './tag-names.ts'

/**
 * Tells when a page need not be read any further: nothing is wanted any more, or what is wanted does not come. The first
 * is asked when a field is settled; the second from the page's body on, and again behind a tag that might have been such
 * a thing, but at distances that double, so that a page full of them is simply read.
 */
export interface StopSign {
  /** Whether to stop behind a tag that has opened or ended. */
  isDue(tag: number, end: number): boolean
  usePage(page: PageView): void
}

/** What the stop depends on. */
export interface Wants {
  /** Goes down when a field is settled. */
  openCount(): number
  /** Names of the elements that could still bring something; empty: nothing can; null: any could. */
  tags(): readonly string[] | null
  /** True while a part of the page is being collected. */
  isCollecting(): boolean
}

const firstReach = 256
const bodyTags = ['body', 'div']

export function createStopSign(names: TagNames, wants: Wants): StopSign {
  const horizons = new Map<string, Horizon>()
  const starts = new Set(bodyTags.map(names.idOf))
  let page = noPage
  let openCount = -1
  let reach = 0
  let nextLookAt = Number.POSITIVE_INFINITY

  const comesLater = (tags: readonly string[], start: number): boolean => {
    reach *= 2
    const key = tags.join()
    let horizon = horizons.get(key)
    if (horizon === undefined) {
      horizon = createHorizon(tags)
      horizons.set(key, horizon)
    }
    const next = horizon.next(page, start)
    nextLookAt = Math.max(next + 1, start + reach)
    return next >= 0
  }

  return {
    isDue(tag, end) {
      if (reach === 0 && starts.has(tag)) {
        reach = firstReach
        nextLookAt = end
      }
      const count = wants.openCount()
      // With one thing less to look for, there may be none left.
      const isLook = end >= nextLookAt || (count !== openCount && reach > 0)
      if (count === openCount && !isLook) return false
      openCount = count
      if (wants.isCollecting()) return false
      const tags = wants.tags()
      if (tags === null) {
        // Until something is settled.
        if (isLook) nextLookAt = Number.POSITIVE_INFINITY
        return false
      }
      return tags.length === 0 || (isLook && !comesLater(tags, end))
    },
    usePage(next) {
      page = next
      openCount = -1
      reach = 0
      nextLookAt = Number.POSITIVE_INFINITY
    },
  }
}
