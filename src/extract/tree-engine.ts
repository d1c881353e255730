import { attributeOf, hasAttribute } from './dom/attribute-store.ts'
import type { TreeElement } from './dom/node.ts'
import { parseTree } from './dom/tree.ts'
import type { Engine } from './engine.ts'
import { createFinder } from './finder.ts'
import { baseUrlOf, type FoundLink, linkAttributes } from './links.ts'
import { type PageRule, schemaOf } from './page-rule.ts'
import { openReading, type ReadingPage, readingOf } from './reading-page.ts'
import type { ItemSchema } from './schema.ts'
import { createItemReader, createSchemaReaders } from './tree-item.ts'

/** The engine that can do everything: a tree per page, selectors and readers made once per rule. */
export function createTreeEngine(rule: PageRule): Engine {
  const schema = schemaOf(rule)
  const readItem = schema === null ? null : createItemReader(schema, 'page')
  const baseElement = createFinder('base[href]', 'page')
  const follow = rule.follow.map(selector => createFinder(selector, 'page'))
  const tagOf = (selector: number): Pick<FoundLink, 'rule'> =>
    rule.followRules === undefined ? {} : { rule: selector }
  const readWhole = createSchemaReaders()
  return {
    name: 'tree',
    read(request) {
      const tree = parseTree(request.html, rule.parser)
      const base = baseElement.first(tree.root, tree)
      const baseUrl = baseUrlOf(base === null ? null : attributeOf(base, 'href'), request.url)
      const reader = {
        tree: () => tree,
        read: (inner: ItemSchema, outer: ReadingPage) => readWhole(inner)(tree.root, { ...outer, tree }),
      }
      const page = { ...openReading(request, baseUrl, reader), tree }
      const item = readItem === null ? null : readItem(tree.root, page)
      const links = request.wantLinks
        ? follow.flatMap((finder, nth) => linksOf(finder.all(tree.root, tree), tagOf(nth)))
        : []
      return readingOf(rule, item, links, page)
    },
  }
}

function linksOf(elements: readonly TreeElement[], tag: Pick<FoundLink, 'rule'>): FoundLink[] {
  const links: FoundLink[] = []
  for (const element of elements) {
    const name = linkAttributes.find(attribute => hasAttribute(element, attribute))
    const value = name === undefined ? null : attributeOf(element, name)
    if (value !== null)
      links.push({ value, isNofollow: /\bnofollow\b/i.test(attributeOf(element, 'rel') ?? ''), ...tag })
  }
  return links
}
