import { foreignTags, htmlIslandTags, impliedEnds, rawTextTags, titleTags, voidTags } from './html-rules.ts'
import { codesOfName, isNameAt } from './name-codes.ts'
import { noPage, type PageView } from './page-view.ts'

/**
 * Tag names as small numbers. The names that rules and selectors know are told apart on the page itself, without a
 * string being made: most tags of a page are of those, and a string for each costs as much as all the rest. Other names
 * get a number for as long as their page is read.
 */
export interface TagNames {
  /** Numbers below it stand for the same names on every page. */
  readonly knownCount: number
  /** Begins a page; forgets what only the last one called its elements. */
  usePage(page: PageView): void
  /** The number of the name that stands at `start` to `end` of the page, whatever its case. */
  idAt(start: number, end: number): number
  /** Whether the name of that number stands there; false also for some that only become it in lower case. */
  isAt(id: number, start: number, end: number): boolean
  /** The number of a known name, or -1. */
  idOf(name: string): number
  nameOf(id: number): string
}

const ruleNames: readonly string[] = [
  ...[...impliedEnds].flatMap(([tag, ends]) => [tag, ...ends]),
  ...voidTags,
  ...foreignTags,
  ...htmlIslandTags,
  ...rawTextTags,
  ...titleTags,
  // No rule speaks of them, but every page does; and types of values ask some of them for attributes.
  ...(
    'html head body a abbr acronym applet audio b bdi bdo big blink canvas caption center cite code colgroup data del ' +
    'details dfn dialog dir em figure font frameset hgroup i iframe img ins kbd label legend map mark marquee menu ' +
    'meter nobr noembed noframes noscript object picture plaintext progress q rb rtc ruby s samp search slot small ' +
    'span strike strong sub summary sup svg g path use symbol template time tt u var video image bgsound'
  ).split(' '),
]

const noName = codesOfName('')

const buckets = 2048

const bucketOf = (length: number, first: number, middle: number, last: number): number =>
  (length * 641 + (first & 31) * 67 + (middle & 31) * 13 + (last & 31) * 257) & (buckets - 1)

export function createTagNames(ofSelectors: Iterable<string>): TagNames {
  const known = [...new Set([...ruleNames, ...ofSelectors])]
  const ids = new Map(known.map((name, id) => [name, id]))
  const table = tableOf(known)
  const names = [...known]
  const codesOf = known.map(codesOfName)
  let strangers = new Map<string, number>()
  let page = noPage

  /** Also finds what is in no table: names by CSS's letters, and letters that only become ASCII in lower case. */
  const slowIdAt = (start: number, end: number): number => {
    const name = page.slice(start, end).toLowerCase()
    const id = ids.get(name) ?? strangers.get(name)
    if (id !== undefined) return id
    strangers.set(name, names.length)
    codesOf.push(codesOfName(name))
    return names.push(name) - 1
  }

  return {
    knownCount: known.length,
    idAt(start, end) {
      const { codes } = page
      const length = end - start
      const middle = codes[start + (length >> 1)] ?? 0
      let at = bucketOf(length, codes[start] ?? 0, middle, codes[end - 1] ?? 0)
      for (let id = table[at] ?? -1; id >= 0; id = table[at] ?? -1) {
        if (isNameAt(codesOf[id] ?? noName, codes, start, length)) return id
        at = (at + 1) & (buckets - 1)
      }
      return slowIdAt(start, end)
    },
    isAt: (id, start, end) => isNameAt(codesOf[id] ?? noName, page.codes, start, end - start),
    idOf: name => ids.get(name) ?? -1,
    nameOf: id => names[id] ?? '',
    usePage(next) {
      page = next
      if (strangers.size === 0) return
      strangers = new Map()
      names.length = known.length
      codesOf.length = known.length
    },
  }
}

/** Open addressing, kept sparse; a selector list of a thousand tags would only make more names slow. */
function tableOf(known: readonly string[]): Int16Array {
  const table = new Int16Array(buckets).fill(-1)
  for (const [id, name] of known.slice(0, buckets / 2).entries()) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) continue
    const code = (index: number): number => name.charCodeAt(index)
    let at = bucketOf(name.length, code(0), code(name.length >> 1), code(name.length - 1))
    while ((table[at] ?? -1) >= 0) at = (at + 1) & (buckets - 1)
    table[at] = id
  }
  return table
}
