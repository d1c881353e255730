import type { Item } from '../../core/wire.ts'
import { parseTree } from '../dom/tree.ts'
import type { Reading, ReadRequest } from '../engine.ts'
import { blockTags, cellTags, verbatimTags } from '../line-breaks.ts'
import { baseUrlOf } from '../links.ts'
import { type PageRule, schemaOf } from '../page-rule.ts'
import { planOf } from '../plan.ts'
import { openReading, type ReadingPage, readingOf } from '../reading-page.ts'
import type { ItemSchema } from '../schema.ts'
import { createSchemaReaders } from '../tree-item.ts'
import { createAttributes } from './attributes.ts'
import { createAutomaton } from './automaton.ts'
import { type Chain, chainsOf, endTags } from './chain.ts'
import { countsSiblings, tagsOf } from './compound.ts'
import type { Place } from './element-test.ts'
import { createItemReader } from './item-reader.ts'
import { createLinkReader } from './link-reader.ts'
import { fieldsOfNeeds, needsOf } from './page-needs.ts'
import { createPageViews, noPage, type PageView } from './page-view.ts'
import { createSiblingCounts } from './sibling-counts.ts'
import { createStopSign } from './stop-sign.ts'
import { createTagNames } from './tag-names.ts'
import { createTokenWalk } from './token-walk.ts'

/** A reading, and how much of the page it took. */
export interface StreamReading extends Reading {
  /** Characters up to where reading stopped. */
  readonly readLength: number
}

/** All that is asked of the pages of a rule, in one pass over each. Made once; keeps nothing of a page afterwards. */
export interface Program {
  /** Null: the page holds something that only the tree can tell. */
  read(request: ReadRequest): StreamReading | null
}

/** Of the matches the automaton tells. Those of follow selectors come next, and then those of fields. */
const baseTarget = 0

/** Of all programs of a thread, or each would keep memory for itself: none makes a view while another one walks. */
const views = createPageViews()

/** @param wantLinks false: nothing is followed, so that what is only there for its links need not be read */
export function createProgram(rule: PageRule, wantLinks: boolean): Program {
  const schema = schemaOf(rule)
  const follow = wantLinks ? rule.follow : []
  const followed = follow.map(chainsOf)
  const needs = schema === null ? [] : needsOf(schema)
  const chains = [...chainsOf('base[href]'), ...followed.flat(), ...chainsIn({ ...schema, ...fieldsOfNeeds(needs) })]
  const compounds = chains.flatMap(chain => chain.compounds)
  const names = createTagNames([...blockTags, ...cellTags, ...verbatimTags, ...compounds.flatMap(tagsOf)])
  const attributes = createAttributes()
  const place: Place = { tag: -1, isTop: true, siblingsBefore: 0, alikeBefore: 0 }
  const siblings = createSiblingCounts({
    all: compounds.some(compound => countsSiblings(compound, 'child')),
    alike: compounds.some(compound => countsSiblings(compound, 'of-type')),
  })
  const item = schema === null ? null : createItemReader(schema, needs, names, attributes, () => walk.foreignBefore())
  const links = createLinkReader(followed.length, attributes, rule.followRules !== undefined)
  const hrefOfBase = attributes.slotOf('href')
  let baseHref: string | null = null
  let number = 0

  const automaton = createAutomaton(names, attributes, place, (target, start, levelsBelowScope) => {
    if (target === baseTarget) baseHref ??= attributes.valueOf(hrefOfBase)
    else if (target <= followed.length) links.matched(target - 1, number)
    else item?.matched(target, start, levelsBelowScope)
  })
  for (const chain of chainsOf('base[href]')) automaton.add(chain, baseTarget)
  for (const [index, list] of followed.entries()) for (const chain of list) automaton.add(chain, index + 1)
  item?.addTo(automaton, followed.length + 1)

  const needsBase = (): boolean => baseHref === null && (followed.length > 0 || item?.isRelative() === true)
  const followTags = endTags(followed.flat())
  const stopSign = createStopSign(names, {
    openCount: () => item?.openCount() ?? 0,
    isCollecting: () => item?.isCollecting() ?? false,
    tags() {
      const fieldTags = item === null ? [] : item.tagsToCome()
      if (followTags === null || fieldTags === null) return null
      const tags = [...fieldTags, ...followTags]
      return needsBase() ? [...tags, 'base'] : tags
    },
  })

  const walk = createTokenWalk(names, attributes, {
    asksAttributes: automaton.asksAttributes,
    opened(tag, depth, start, end) {
      number += 1
      place.tag = tag
      place.isTop = depth === 1
      siblings.opened(tag, depth, place)
      item?.elementOpened(tag, depth, number, start)
      automaton.open(tag, depth, number)
      if (stopSign.isDue(tag, end)) walk.stop()
    },
    closed(tag, depth, end) {
      item?.elementClosed(tag, depth, end)
      if (stopSign.isDue(-1, end)) walk.stop()
    },
    text(start, end, coding) {
      item?.text(start, end, coding)
    },
  })

  const readWhole = createWholeReader()
  const usePage = (page: PageView): void => {
    attributes.usePage(page)
    siblings.reset()
    stopSign.usePage(page)
    links.clear()
    baseHref = null
    number = 0
  }

  return {
    read(request) {
      const { utf8 } = request
      const view = utf8 === undefined ? views.ofText(request.html) : views.ofUtf8(utf8, () => request.html)
      usePage(view)
      automaton.reset()
      item?.usePage(view)
      try {
        const isIdle = item === null && followed.length === 0
        const readLength = isIdle ? 0 : walk.read(view)
        const page = openReading(request, baseUrlOf(baseHref, request.url), {
          tree: () => parseTree(request.html, 'fast'),
          read: (inner, outer) => item?.needed(inner, outer) ?? readWhole(inner, request, outer),
        })
        const fields = item === null ? null : item.take(page)
        if (item !== null && fields === null) return null
        return { ...readingOf(rule, fields, links.found(), page), readLength }
      } finally {
        usePage(noPage)
        item?.clear()
      }
    },
  }
}

/** Of all fields, also of those inside of others. */
const chainsIn = (schema: ItemSchema): Chain[] =>
  Object.values(schema).flatMap(({ selector, source }) => [
    ...(selector === null ? [] : chainsOf(selector)),
    ...(source.kind === 'group' ? chainsIn(source.fields) : []),
  ])

/** Its text is still made only where it is asked for. */
const withoutLinks = (request: ReadRequest): ReadRequest => ({
  ...(request.utf8 !== undefined && { utf8: request.utf8 }),
  ...(request.facts !== undefined && { facts: request.facts }),
  url: request.url,
  wantLinks: false,
  get html() {
    return request.html
  },
})

/** Schemas that are told with the page: a pass of their own, or the page's tree where that is needed. */
function createWholeReader(): (schema: ItemSchema, request: ReadRequest, page: ReadingPage) => Item {
  const programs = new Map<ItemSchema, Program | null>()
  const readers = createSchemaReaders()
  const programOf = (schema: ItemSchema): Program | null => {
    const rule: PageRule = { name: '', match: null, item: schema, follow: [], parser: 'fast' }
    return planOf(rule).engine === 'stream' ? createProgram(rule, false) : null
  }
  return (schema, request, page) => {
    let program = programs.get(schema)
    if (program === undefined) {
      program = programOf(schema)
      programs.set(schema, program)
    }
    const item = program?.read(withoutLinks(request))?.item ?? null
    if (item !== null) return item
    const tree = page.whole.tree()
    return readers(schema)(tree.root, { ...page, tree })
  }
}
