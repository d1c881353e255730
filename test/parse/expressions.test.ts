import { afterAll, describe, expect, test } from 'vitest'
import { realClock, threadCpuMs } from '../../src/core/clock.ts'
import { checkItem } from '../../src/extract/check-item.ts'
import { createParsePool } from '../../src/parse/pool.ts'
import { parseRobots } from '../../src/robots/rules.ts'
import { compilePattern } from '../../src/scope/pattern.ts'
import { messageOf } from '../module/kit.ts'
import { parsed, readerRequest } from '../stage/requests.ts'
import { never, rules } from './kit.ts'

/** Expressions for which JavaScript would need longer than anybody lives, and 50 KB that show it. */
const bombs: readonly (readonly [source: string, text: string])[] = [
  ['(a+)+$', `${'a'.repeat(50_000)}!`],
  ['^(\\s+)+$', `${'&nbsp;'.repeat(8_000)}x`],
  ['^(.*a){25}$', `${'a'.repeat(50_000)}b`],
  ['(x+x+)+y', 'x'.repeat(50_000)],
]

/** Time in which this thread ran: a busy machine adds nothing to it. */
function ownMsOf(work: () => void): number {
  const startMs = threadCpuMs()
  work()
  return threadCpuMs() - startMs
}

describe('an expression that takes for ever as JavaScript runs it', () => {
  const backwards = '(?=a)(a+)+$'
  const parser = createParsePool({
    rules: {
      ...rules,
      pages: [...bombs.map(([source]) => source), backwards].map(pattern => ({
        name: pattern,
        match: null,
        item: checkItem({ found: { selector: 'p', pattern, whitespace: 'keep' } }, 'item'),
        follow: [],
        parser: 'fast',
      })),
    },
    clock: realClock,
    threads: 1,
    // Time that the thread itself had, so that it holds on a busy machine.
    parseMs: 1_000,
    queueMs: 60_000,
    memoryMegabytes: 256,
    onRestart: () => {},
  })
  afterAll(() => parser[Symbol.asyncDispose]())

  test.each(bombs)('finds nothing within a second, as a pattern of a field: %s', async (page, text) => {
    const reply = await parser.parse(readerRequest(`<p>${text}</p>`, { page }), never)
    expect(parsed(reply).items).toMatchObject([{ found: null }])
  })

  test('ends with PARSE_TIMEOUT where it needs going back in the text, and the next page is read', async () => {
    const reply = await parser.parse(readerRequest(`<p>${'a'.repeat(50_000)}!</p>`, { page: backwards }), never)
    expect(messageOf(reply)).toMatch(/^PARSE_TIMEOUT .* took longer than 1000 ms/)
    const next = await parser.parse(readerRequest('<p>aa</p>', { page: backwards }), never)
    expect(parsed(next).items).toMatchObject([{ found: 'aa' }])
  })
})

describe('what the main thread matches takes a moment, whoever wrote it', () => {
  const path = (text: string): URL => new URL(`http://a.test/${text}`)

  test.each([
    ['/((?:a+)+)', `${'a'.repeat(50_000)}!`],
    ['/((?:.*a){25})', `${'a'.repeat(50_000)}b`],
    ['/((?:x+x+)+y)', 'x'.repeat(50_000)],
    ['/*a*a*a*a*a*a*a*a*a*a*a*a*c', 'a'.repeat(50_000)],
  ])('a URL pattern: %s', (pattern, text) => {
    const fits = compilePattern(pattern, 'match')
    expect(ownMsOf(() => expect(fits(path(text))).toBe(false))).toBeLessThan(1_000)
  })

  test('a URL pattern that needs going back in the text is refused before the run', () => {
    expect(() => compilePattern('/((?=a)(?:a+)+)', 'match')).toThrowError(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })

  test.each(['a', '.a', 'xx'])('a robots file of two hundred stars between "%s"', piece => {
    const robots = `User-agent: *\nDisallow: /${`*${piece}`.repeat(200)}$\n`
    const url = path(`${piece.repeat(25_000)}!`)
    expect(ownMsOf(() => expect(parseRobots(robots, null).allows(url)).toBe(true))).toBeLessThan(1_000)
  })
})
