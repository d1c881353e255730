import type { JsonValue } from '../../core/wire.ts'
import { createFinder } from '../finder.ts'
import type { WholePage, WholePageField } from '../whole-page-field.ts'
import { checkCss } from './check-css.ts'
import { domOf } from './dom.ts'
import type { DomElement } from './dom-nodes.ts'
import { type MarkdownService, markdownLibrary } from './library.ts'
import { markdownRules, removedTags } from './markdown-rules.ts'
import { checkAll } from './options.ts'
import { articleOf } from './readability.ts'

/**
 * `{ from: markdown, selector: article }`: what is in an element as Markdown (CommonMark, and the tables, task lists and
 * strikethrough of GitHub); without a selector, the main text of the page as Readability finds it.
 */
export const markdown: WholePageField = {
  keys: ['selector', 'all'],
  needsTree: true,
  check: ({ selector, all }, at) => ({ selector: checkCss(selector, `${at}.selector`), all: checkAll(all, at) }),
  create({ selector, all }) {
    const finder = typeof selector === 'string' ? createFinder(selector, 'page') : null
    if (finder === null)
      return page => {
        const article = articleOf(page)
        return article === null ? null : markdownOf(article.content)
      }
    const read = (page: WholePage): JsonValue[] => {
      const tree = page.tree()
      const first = all === true ? null : finder.first(tree.root, tree)
      const found = all === true ? finder.all(tree.root, tree) : first === null ? [] : [first]
      return found.map(element => markdownOf(domOf(page, element).body))
    }
    return page => (all === true ? read(page) : (read(page)[0] ?? null))
  },
}

let service: MarkdownService | null = null

function markdownOf(element: DomElement): string {
  service ??= createService()
  return service.turndown(element)
}

function createService(): MarkdownService {
  const Service = markdownLibrary()
  const made = new Service({ headingStyle: 'atx', hr: '---', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  for (const [name, rule] of Object.entries(markdownRules)) made.addRule(name, rule)
  made.remove(node => removedTags.has(node.nodeName))
  return made
}
