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

/** Of UTF-8: what is broken, what is only a part, marks, and letters that are ASCII in lower case. */
const strayBytes = fc.constantFrom(
  ...[
    'c3',
    'e2',
    'e284',
    'f09f98',
    '80',
    'ff',
    'c080',
    'eda080',
    'f4908080',
    'c3a9',
    'c2a0',
    'e284aa',
    'efbbbf',
    'f09f9880',
  ],
)
/** A document with such bytes in some places. */
const anyBytes = fc
  .tuple(brokenDocument, fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), strayBytes), { maxLength: 8 }))
  .map(([html, strays]) =>
    strays.reduce((bytes, [where, stray]) => {
      const at = Math.round(where * bytes.length)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(stray, 'hex'), bytes.subarray(at)])
    }, Buffer.from(html)),
  )
const pagesOfBytes = fc.array(anyBytes, { minLength: pagesPerSchema, maxLength: pagesPerSchema })

describe('the stream engine', () => {
  test(
    `finds in bytes of UTF-8, whole or broken, what it finds in their text (${cases} cases)`,
    () => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      fc.assert(
        fc.property(rule, pagesOfBytes, fc.boolean(), (anyRule, documents, wantLinks) => {
          const [byBytes, byText] = [createStreamEngine(anyRule), createStreamEngine(anyRule)]
          for (const utf8 of documents) {
            const html = decoder.decode(utf8)
            const { readLength, baseUrl, ...ours } = byBytes.read({ html, utf8, url, wantLinks })
            const { readLength: _, baseUrl: __, ...theirs } = byText.read({ html, url, wantLinks })
            if (JSON.stringify(ours) !== JSON.stringify(theirs)) expect({ html, ours }).toEqual({ html, ours: theirs })
          }
        }),
        { numRuns },
      )
    },
    limitMs,
  )

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
