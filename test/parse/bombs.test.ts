import { expect, test } from 'vitest'
import { readerRequest } from '../stage/requests.ts'
import { never, poolOf } from './kit.ts'

const numbered = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('')

/** By the rules of a browser, each takes time that grows with its square. */
test.each([
  ['formatting opened in each paragraph', numbered(20_000, index => `<p><font size=${index}>x`)],
  ['attributes of one tag', `<p ${numbered(300_000, index => `a${index} `)}>`],
])('a bomb of %s ends with PARSE_TIMEOUT, and the next page is parsed', async (_, html) => {
  await using parser = poolOf({ threads: 1, parseMs: 300, memoryMegabytes: 1_024 })
  const reply = await parser.parse(readerRequest(html, { page: 'browser' }), never)
  expect(reply).toMatchObject({ kind: 'faulted', fault: { code: 'PARSE_TIMEOUT' } })
  expect((await parser.parse(readerRequest('<title>x</title>'), never)).kind).toBe('parsed')
})
