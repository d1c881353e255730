import type { JsonObject, JsonValue } from '../../core/wire.ts'
import { refuse } from '../check-problem.ts'
import type { ItemSchema } from '../schema.ts'
import type { WholePage, WholePageField } from '../whole-page-field.ts'
import { checkJsonPath, createJsonSelect } from './json-path.ts'
import { perPage } from './per-page.ts'

/**
 * `{ from: opengraph }`: what a page tells those who link to it (ogp.me, Twitter cards, product and article tags), under
 * the names that the page uses:
 *
 *   { 'og:title': 'Tea', 'og:image': [{ url: 'https://...', width: '800' }], 'article:tag': ['tea', 'pot'] }
 *
 * The shape of a name never depends on the page. Images, videos and sounds are lists of maps, since each may have
 * properties of its own; names that the protocol has for several values are lists; of all others the first one counts,
 * as the protocol has it. Values are as written.
 */
export const opengraph: WholePageField = {
  keys: ['property', 'path'],
  check({ property, path }, at) {
    if (property !== undefined && (typeof property !== 'string' || !/^[\w.-]+(?::[\w.-]+)+$/.test(property)))
      refuse(`${at}.property`, property, 'the name of a property, such as og:title')
    return {
      property: typeof property === 'string' ? property.toLowerCase() : null,
      path: checkJsonPath(path, `${at}.path`),
    }
  },
  needs: () => ({ schema }),
  create({ property, path }) {
    const select = createJsonSelect(path as string | null)
    return page => {
      const properties = propertiesOf(page)
      if (typeof property !== 'string') return properties === null ? null : select(properties)
      const value = properties !== null && Object.hasOwn(properties, property) ? properties[property] : undefined
      return value === undefined ? null : select(value)
    }
  },
}

const media = new Set(['og:image', 'og:video', 'og:audio'])
const lists = new Set(
  (
    'og:locale:alternate og:see_also article:author article:tag book:author book:tag video:actor video:director ' +
    'video:writer video:tag music:song music:album music:musician music:creator fb:admins'
  ).split(' '),
)

/** In `name`, where other things stand as well, only these are of the protocol. */
const prefixes = new Set('og article product book profile music video twitter fb al business place'.split(' '))

const attribute = (name: string) =>
  ({ selector: null, source: { kind: 'attribute', name }, type: 'raw', list: false }) as const

const schema: ItemSchema = {
  metas: {
    selector: 'meta[content]',
    source: {
      kind: 'group',
      fields: { property: attribute('property'), name: attribute('name'), content: attribute('content') },
    },
    type: 'raw',
    list: true,
  },
}

interface Meta {
  readonly property: string | null
  readonly name: string | null
  readonly content: string | null
}

const propertiesOf = perPage((page: WholePage): JsonObject | null => {
  const found = new Map<string, JsonValue>()
  for (const { property, name, content } of (page.read(schema).metas ?? []) as readonly unknown[] as Meta[]) {
    const value = content?.trim() ?? ''
    if (value !== '') for (const key of namesOf(property, name)) add(found, key, value)
  }
  return found.size === 0 ? null : Object.fromEntries(found)
})

/** Both attributes are in use, and one may name several properties. */
function namesOf(property: string | null, name: string | null): ReadonlySet<string> {
  const words = (text: string | null): string[] => text?.trim().toLowerCase().split(/\s+/) ?? []
  return new Set([
    ...words(property).filter(word => word.includes(':')),
    ...words(name).filter(word => word.includes(':') && prefixes.has(word.slice(0, word.indexOf(':')))),
  ])
}

function add(found: Map<string, JsonValue>, name: string, value: string): void {
  const [, root = name, part = 'url'] = /^(og:(?:image|video|audio))(?::(.+))?$/.exec(name) ?? []
  if (media.has(root)) addToMedia(listIn(found, root), part, value)
  else if (lists.has(name)) listIn(found, name).push(value)
  else if (!found.has(name)) found.set(name, value)
}

function listIn(found: Map<string, JsonValue>, name: string): JsonValue[] {
  const list = (found.get(name) ?? []) as JsonValue[]
  found.set(name, list)
  return list
}

/** A URL begins an image, unless the one before has none yet or is the same; all else belongs to the last image. */
function addToMedia(list: JsonValue[], part: string, value: string): void {
  const last = (list.at(-1) ?? null) as JsonObject | null
  const isNew = last === null || (part === 'url' && last.url !== undefined && last.url !== value)
  if (isNew) list.push(Object.fromEntries([[part, value]]))
  else if (!Object.hasOwn(last, part))
    list[list.length - 1] = Object.fromEntries([...Object.entries(last), [part, value]])
}
