import { createPageViews } from '../stream/page-view.ts'
import type { NoteKind, Quote } from '../stream/scanner.ts'
import { createTagNames } from '../stream/tag-names.ts'
import { coding } from '../stream/text-log.ts'
import { createTokenWalk } from '../stream/token-walk.ts'
import {
  append,
  createElement,
  createLeaf,
  createRoot,
  type ParsedTree,
  type PlacedAttributes,
  placeSize,
  type TreeElement,
  type TreeParent,
  type TreeRoot,
} from './node.ts'

/** Room for an attribute per so many characters, at first. */
const charactersPerAttribute = 64

const dataOfNote: Readonly<Record<NoteKind, (text: string) => string>> = {
  comment: text => text,
  // HTML has none outside of SVG and MathML, so they are comments.
  cdata: text => `[CDATA[${text}]]`,
  declaration: text => `!${text}`,
  instruction: text => `?${text}`,
}

function createFastTreeParser(): (html: string) => ParsedTree {
  const names = createTagNames([])
  const views = createPageViews()
  const places = createPlaces()
  let html = ''
  let store = places.usePage('')
  let elements: TreeElement[] = []
  /** The root, and by depth what is open. */
  let open: TreeParent[] = [createRoot()]
  let depth = 0

  const addLeaf = (...[type, data, how]: Parameters<typeof createLeaf>): void => {
    const parent = open[depth]
    if (parent !== undefined) append(parent, createLeaf(type, data, how))
  }

  const walk = createTokenWalk(names, places, {
    asksAttributes: () => true,
    opened(tag, at) {
      const element = createElement(names.nameOf(tag), store, places.last())
      const parent = open[at - 1]
      if (parent !== undefined) append(parent, element)
      open[at] = element
      depth = at
      elements.push(element)
    },
    closed(_, at) {
      depth = at - 1
    },
    text(start, end, how) {
      addLeaf('text', html.slice(start, end), how)
    },
    note(kind, start, end) {
      const type = kind === 'comment' || kind === 'cdata' ? 'comment' : 'directive'
      addLeaf(type, dataOfNote[kind](html.slice(start, end)), coding.none)
    },
  })

  const usePage = (page: string): TreeRoot => {
    const root = createRoot()
    html = page
    store = places.usePage(page)
    elements = []
    open = [root]
    depth = 0
    return root
  }

  return page => {
    const root = usePage(page)
    try {
      walk.read(views.ofText(page))
      return { root, elements }
    } finally {
      // Or the page would stay in memory until the next one.
      usePage('')
    }
  }
}

/** Writes down where attributes stand, as `PlacedAttributes` has it. */
function createPlaces() {
  let store: PlacedAttributes = { kind: 'places', html: '', places: new Int32Array(0), decoded: new Map() }
  let size = 0
  let last = 0

  const grow = (): void => {
    const { places } = store
    store.places = new Int32Array(places.length * 2)
    store.places.set(places)
  }

  return {
    usePage(html: string): PlacedAttributes {
      const room = 64 + Math.ceil(html.length / charactersPerAttribute) * placeSize
      store = { kind: 'places', html, places: new Int32Array(html === '' ? 0 : room), decoded: new Map() }
      size = 1
      last = 0
      return store
    },
    /** Where those of the tag are that was read last. */
    last: (): number => last,
    begin(): void {
      last = 0
    },
    add(nameStart: number, nameEnd: number, start: number, end: number, how: Quote): void {
      if (size + placeSize >= store.places.length) grow()
      const { places } = store
      if (last === 0) {
        last = size
        size += 1
      }
      places[last] = (places[last] ?? 0) + 1
      places[size] = nameStart
      places[size + 1] = nameEnd
      places[size + 2] = start
      places[size + 3] = end
      places[size + 4] = how
      size += placeSize
    },
  }
}

/**
 * The tree that htmlparser2's Parser and DomHandler would make, from the walk that the stream engine reads pages by.
 * Text is decoded when somebody asks for it, attributes are left where they stand on the page.
 */
export const parseFastTree: (html: string) => ParsedTree = createFastTreeParser()
