import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { checkItem } from '../../src/extract/check-item.ts'
import type { Engine } from '../../src/extract/engine.ts'
import type { PageFacts } from '../../src/extract/page-facts.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { planOf } from '../../src/extract/plan.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { jobSchema } from '../../src/job/json-schema.ts'
import { judgeItems } from '../../src/stage/judge-items.ts'
import { parseRequest } from '../stage/requests.ts'

/** The examples of docs/schema.md, as they stand there. */
const text = readFileSync(new URL('../../docs/schema.md', import.meta.url), 'utf8')

interface Block {
  readonly language: string
  readonly content: string
  readonly heading: string
}

const blocks: Block[] = []
let heading = ''
for (const [, title, language, content] of text.matchAll(/^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
  if (title !== undefined) heading = title
  else blocks.push({ language: language ?? '', content: content ?? '', heading })
}
const examples = blocks.flatMap((block, index) => {
  const [schema, result] = [blocks[index + 1], blocks[index + 2]]
  return block.language === 'html' && schema?.language === 'yaml' && result?.language === 'json'
    ? [{ heading: block.heading, html: block.content, item: parse(schema.content), result: JSON.parse(result.content) }]
    : []
})

const editor = z.fromJSONSchema(jobSchema() as Parameters<typeof z.fromJSONSchema>[0])

const url = 'https://shop.test/p/42'
const facts: PageFacts = {
  askedUrl: url,
  finalUrl: url,
  page: 'product',
  fetchedAt: '2024-05-01T08:00:00.000Z',
  depth: 1,
  status: 200,
  headers: { 'last-modified': 'Wed, 01 May 2024 10:00:00 GMT' },
  meta: { category: 'mills' },
}
const engines: Readonly<Record<string, (rule: PageRule) => Engine>> = {
  stream: createStreamEngine,
  tree: createTreeEngine,
}

describe('the page about the schema', () => {
  test('has an example of everything', () => {
    expect(examples.map(example => example.heading)).toEqual([
      'The schema',
      'What is read',
      'Which match',
      'Text',
      'Numbers',
      'Dates',
      'True or false',
      'Patterns',
      'No value',
      'Tables and lists of terms',
      'Without an element',
    ])
  })

  describe.each(examples)('$heading', ({ html, item, result }) => {
    test.each(Object.keys(engines))('is what the %s engine makes of it', name => {
      const rule: PageRule = { name: 'product', match: null, item: checkItem(item, 'item'), follow: [], parser: 'fast' }
      const reading = engines[name]?.(rule).read({ html, url, wantLinks: false, facts })
      expect(reading).toBeDefined()
      if (reading === undefined) return
      const [kept = {}] = judgeItems(reading, false, parseRequest('', { askedUrl: url, finalUrl: url })).kept
      const { _url, _page, _at, ...fields } = kept
      expect(fields).toEqual(result)
    })

    test('is what editors are told that a job may say', () => {
      expect(editor.safeParse({ item }).error).toBeUndefined()
    })

    test('streams, as it says', () => {
      const rule: PageRule = { name: 'product', match: null, item: checkItem(item, 'item'), follow: [], parser: 'fast' }
      expect(planOf(rule).engine).toBe('stream')
    })
  })

  test.each(blocks.filter(({ language, content }) => language === 'yaml' && content.startsWith('pages:')))(
    'its job of several items is one that runs',
    ({ content }) => {
      const job = checkJob(parse(content), { path: 'job', baseDir: '.', needsSeeds: false })
      expect(job.pages.map(({ items }) => items?.selector)).toEqual(['li.product', undefined])
    },
  )
})
