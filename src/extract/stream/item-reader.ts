import type { Item, JsonValue } from '../../core/wire.ts'
import { definitionsOf } from '../definitions.ts'
import type { TreeElement } from '../dom/node.ts'
import { innerHtmlOf, outerHtmlOf } from '../dom/serialise.ts'
import type { ReadingPage } from '../reading-page.ts'
import type { ItemSchema } from '../schema.ts'
import { tableOf } from '../table.ts'
import type { PageNeed } from '../whole-page-field.ts'
import type { Attributes } from './attributes.ts'
import type { Automaton } from './automaton.ts'
import { createCollectors } from './collectors.ts'
import { createElementValues, type ElementValue } from './element-values.ts'
import { createGroups, type FieldNode, type GroupNode } from './field-node.ts'
import { type Found, type FoundList, fieldValueOf, hasRelativeUrl, itemOf, type Scope } from './findings.ts'
import { createLines } from './lines.ts'
import { fieldsOfNeeds } from './page-needs.ts'
import { noPage, type PageView } from './page-view.ts'
import type { TagNames } from './tag-names.ts'
import type { Coding } from './text-log.ts'

/** The fields of one item over the elements of a page: what a match is for, where it belongs, and when it is settled. */
export interface ItemReader {
  /** Before any page. */
  addTo(automaton: Automaton, firstTarget: number): void
  /** Begins a page. */
  usePage(page: PageView): void
  /** Forgets it. */
  clear(): void
  elementOpened(tag: number, depth: number, number: number, start: number): void
  elementClosed(tag: number, depth: number, end: number): void
  text(start: number, end: number, coding: Coding): void
  matched(target: number, start: number, levelsBelowScope: number): void
  /** How many fields may still find something: all lists, and others until their first match has ended. */
  openCount(): number
  /** The names of the elements that could bring it; null: any could. */
  tagsToCome(): readonly string[] | null
  /** True while something is being collected: a stop would cut it off. */
  isCollecting(): boolean
  /** True where a URL has been found that says nothing without the page's base. */
  isRelative(): boolean
  /** When the page is read; null: it holds something that only the tree can tell. */
  take(page: ReadingPage): Item | null
  /** What has been found for one of the needs, while the item is taken; null: it is none of them. */
  needed(schema: ItemSchema, page: ReadingPage): Item | null
}

interface Target {
  readonly group: number
  readonly field: FieldNode
  readonly index: number
}

const anyDepth = Number.MAX_SAFE_INTEGER

/** What of an element's tree is wanted. */
function foundIn(
  element: TreeElement,
  value: Exclude<ElementValue, { readonly kind: 'read' | 'text' | 'innerText' | 'ownText' }>,
): Found {
  switch (value.kind) {
    case 'innerHTML':
      return innerHtmlOf(element)
    case 'outerHTML':
      return outerHtmlOf(element)
    case 'table':
      return { ready: tableOf(element, value.shape) }
    case 'dl':
      return { ready: definitionsOf(element) }
    default:
      return value satisfies never
  }
}

/**
 * @param needs found beside the fields of the item, for those of them that read the whole page
 * @param foreignBefore the foreign contexts of the element that opens
 */
export function createItemReader(
  schema: ItemSchema,
  needs: readonly PageNeed[],
  names: TagNames,
  attributes: Attributes,
  foreignBefore: () => readonly boolean[],
): ItemReader {
  const ownCount = Object.keys(schema).length
  const groups = createGroups({ ...schema, ...fieldsOfNeeds(needs) }, names, attributes)
  /** Behind those of the item, in their order: the need of each field. */
  const needOf: readonly PageNeed[] = needs.flatMap(need => Object.keys(need.schema).map(() => need))
  const targets: readonly Target[] = groups.flatMap(({ id, fields }) =>
    fields.map((field, index) => ({ group: id, field, index })),
  )
  const [script, style] = [names.idOf('script'), names.idOf('style')]
  const isHidden = (id: number): boolean => id === script || id === style
  const values = createElementValues(names, attributes)
  const collectors = createCollectors()
  const lines = groups.some(({ fields }) => fields.some(({ byLines }) => byLines))
    ? createLines(names, collectors)
    : null
  /** By group, from the outside in. */
  const scopes: Scope[][] = groups.map(() => [])
  const open = new Set<FieldNode>()
  let firstTarget = 0
  let root: Scope | null = null
  let isExact = true
  /** The element that opens, or the page. */
  let [tag, depth, number, tagStart] = [-1, 0, 0, 0]

  const openScope = (group: GroupNode): Scope => {
    const scope: Scope = { group, number, depth, values: group.fields.map(() => undefined) }
    scopes[group.id]?.push(scope)
    for (const [index, field] of group.fields.entries()) if (field.chains === null) find(scope, field, index)
    return scope
  }

  /** The element that opens is a match of a field in a scope. */
  const find = (scope: Scope, field: FieldNode, index: number): void => {
    const { source, pick } = field
    const known = scope.values[index]
    if (field.isMany) {
      const list = (known ?? { found: [], lastNumber: -1, count: 0 }) as FoundList
      scope.values[index] = list
      if (list.lastNumber === number) return
      list.lastNumber = number
      list.count += 1
      if (source.kind === 'count' || (pick > 1 && list.count !== pick)) return
      read(field, list.found, list.found.push(null) - 1, pick > 1 && scope.group.id === 0)
      return
    }
    if (known !== undefined || source.kind === 'bound') return
    const single = scope.values as Found[]
    single[index] = null
    read(field, single, index, scope.group.id === 0)
  }

  const read = (field: FieldNode, into: Found[], at: number, isSettling: boolean): void => {
    const settle = (found: Found): void => {
      into[at] = found
      if (isSettling) open.delete(field)
    }
    const { source } = field
    if (source.kind === 'group') {
      const { group } = source
      collectors.onEnd(depth, () => {
        scopes[group.id]?.pop()
        if (isSettling) open.delete(field)
      })
      into[at] = openScope(group)
    } else if (source.kind === 'exists') settle(null)
    else if (source.kind !== 'bound' && source.kind !== 'count')
      collect(values.valueOf(source, tag), field.byLines, settle)
  }

  const collect = (value: ElementValue, byLines: boolean, settle: (found: Found) => void): void => {
    if (value.kind === 'read') settle(value.value)
    else if (value.kind === 'text') collectors.text(depth, anyDepth, byLines, settle)
    else if (value.kind === 'innerText') collectors.text(depth, depth, byLines, settle)
    else if (value.kind === 'ownText') collectors.ownText(depth, byLines, settle)
    else
      collectors.element(depth, { start: tagStart, foreign: foreignBefore() }, element => {
        if (element === null) isExact = false
        settle(element === null ? null : foundIn(element, value))
      })
  }

  const reset = (page: PageView): void => {
    collectors.usePage(page)
    lines?.reset()
    for (const list of scopes) list.length = 0
    open.clear()
    root = null
    isExact = true
    tag = -1
    depth = 0
    number = 0
  }

  return {
    addTo(automaton, first) {
      firstTarget = first
      for (const [index, { field }] of targets.entries())
        for (const chain of field.chains ?? []) automaton.add(chain, first + index)
    },
    usePage(page) {
      reset(page)
      const [group] = groups
      if (group === undefined) return
      for (const [index, field] of group.fields.entries())
        if (field.source.kind !== 'bound' && needOf[index - ownCount]?.mayBeIn?.(page) !== false) open.add(field)
      root = openScope(group)
    },
    clear: () => reset(noPage),
    elementOpened(openedTag, openedDepth, openedNumber, start) {
      tag = openedTag
      depth = openedDepth
      number = openedNumber
      tagStart = start
      lines?.opened(tag, depth)
      collectors.elementOpened(depth, isHidden(tag))
    },
    elementClosed(closedTag, closedDepth, end) {
      collectors.elementClosed(closedDepth, isHidden(closedTag), end)
      lines?.closed(closedTag, closedDepth)
    },
    text: collectors.addText,
    matched(target, start, levelsBelowScope) {
      const wanted = targets[target - firstTarget]
      if (wanted === undefined) return
      const around = scopes[wanted.group] ?? []
      // Those that the element itself opens meanwhile are not around it.
      const { length } = around
      for (let at = 0; at < length; at += 1) {
        const scope = around[at]
        if (scope === undefined || scope.number === number) continue
        const isBelow =
          levelsBelowScope > 0 ? depth === scope.depth + levelsBelowScope : scope.depth < 2 || start >= scope.number
        if (isBelow) find(scope, wanted.field, wanted.index)
      }
    },
    openCount: () => open.size,
    tagsToCome() {
      const tags: string[] = []
      for (const { endTags } of open) {
        if (endTags === null) return null
        tags.push(...endTags)
      }
      return tags
    },
    isCollecting: () => collectors.count() > 0,
    isRelative: () => root !== null && hasRelativeUrl(root),
    take(context) {
      collectors.endAll()
      return root === null || !isExact ? null : itemOf(root, context, ownCount)
    },
    needed(wanted, page) {
      const first = needOf.findIndex(need => need.schema === wanted)
      if (root === null || first < 0) return null
      const item: Record<string, JsonValue> = {}
      for (const [nth, name] of Object.keys(wanted).entries()) {
        const index = ownCount + first + nth
        const field = root.group.fields[index]
        if (field !== undefined) item[name] = fieldValueOf(root, index, field, page)
      }
      return item
    },
  }
}
