import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { planOf } from '../../src/extract/plan.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'
import { brokenDocument, streamItems, streamSchema, streamSelector } from './stream-documents.ts'

/** Pairs of a schema and a document; FUZZ asks for more of them. */
const cases = Number(process.env.FUZZ ?? 5_000)
const pagesPerSchema = 6
const numRuns = Math.ceil(cases / pagesPerSchema)
const limitMs = 30_000 + cases * 50
const url = 'http://shop.test/a/b'

const ruleOf = (item: unknown, follow: readonly string[]): PageRule => ({
  name: 'any',
  match: null,
  item: checkItem(item, 'item'),
  follow,
  parser: 'fast',
})

const follow = fc.array(streamSelector, { maxLength: 2 })
const itemRule = fc.tuple(streamSchema, follow).map(([item, selectors]) => ruleOf(item, selectors))
const itemsRule = fc.tuple(streamItems, follow).map(([items, selectors]): PageRule => {
  const { item } = ruleOf(items.item, [])
  return { ...ruleOf({ a: 'b' }, selectors), item: null, items: { ...items, item: item ?? {} } }
})
const rule = fc.oneof({ arbitrary: itemRule, weight: 5 }, { arbitrary: itemsRule, weight: 1 })
const pages = fc.array(brokenDocument, { minLength: pagesPerSchema, maxLength: pagesPerSchema })

describe('the stream engine', () => {
  test(
    `finds what the tree engine finds, in any document (${cases} cases)`,
    () => {
      let found = 0
      fc.assert(
        fc.property(rule, pages, fc.boolean(), (anyRule, documents, wantLinks) => {
          expect(planOf(anyRule).parts.filter(({ reason }) => reason !== null)).toEqual([])
          const [streamEngine, treeEngine] = [createStreamEngine(anyRule), createTreeEngine(anyRule)]
          for (const html of documents) {
            const { readLength, baseUrl, ...stream } = streamEngine.read({ html, url, wantLinks })
            const { baseUrl: treeBaseUrl, ...tree } = treeEngine.read({ html, url, wantLinks })
            const text = JSON.stringify(tree)
            if (JSON.stringify(stream) !== text) expect({ html, stream }).toEqual({ html, stream: tree })
            if (readLength === html.length) expect(baseUrl).toBe(treeBaseUrl)
            if (/[:[]"[^"]+"[^:]/.test(text)) found += 1
          }
        }),
        { numRuns },
      )
      // A comparison of nothing with nothing would say nothing.
      expect(found / (numRuns * pagesPerSchema)).toBeGreaterThan(0.3)
    },
    limitMs,
  )

  test(
    'an engine that has read other pages reads the next one as a new engine does',
    () => {
      fc.assert(
        fc.property(rule, pages, (anyRule, documents) => {
          const worn = createStreamEngine(anyRule)
          for (const html of documents) {
            const request = { html, url, wantLinks: html.length % 2 === 0 }
            expect(worn.read(request)).toEqual(createStreamEngine(anyRule).read(request))
          }
        }),
        { numRuns: Math.ceil(numRuns / 20) },
      )
    },
    limitMs,
  )
})
