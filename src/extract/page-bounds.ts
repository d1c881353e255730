import { createPageViews } from './stream/page-view.ts'
import { createTagNames } from './stream/tag-names.ts'
import { createTokenWalk } from './stream/token-walk.ts'

export interface PageBounds {
  /** Elements that are open inside of each other, as the `fast` parser reads the page. */
  readonly depth: number
  /** Attributes of one tag. */
  readonly attributes: number
}

/**
 * Whether a page stays within bounds in what a browser's rules need time for that grows with its square: which elements
 * are open, and whether an attribute is on its tag already.
 */
export function isWithin(html: string, bounds: PageBounds): boolean {
  let depth = 0
  let attributes = 0
  let isInside = true
  const ignore = (): void => {}
  const walk = createTokenWalk(
    createTagNames([]),
    {
      begin() {
        attributes = 0
      },
      add() {
        attributes += 1
        if (attributes > bounds.attributes) stop()
      },
    },
    {
      asksAttributes: () => true,
      opened(_, at) {
        depth = at
        if (depth > bounds.depth) stop()
      },
      closed: ignore,
      text: ignore,
    },
  )
  function stop(): void {
    isInside = false
    walk.stop()
  }
  walk.read(createPageViews().ofText(html))
  return isInside
}
