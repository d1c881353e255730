import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../src/core/page.ts'
import { findingOf } from '../../src/robots/finding.ts'
import { productToken } from '../../src/robots/product-token.ts'
import { parseRobots, pathOf, type RobotsRules } from '../../src/robots/rules.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const isThere = existsSync(join(data, 'robots-facts'))
if (!isThere) console.log(`conformance data is missing in ${data}: the robots facts are skipped`)

const readJson = <T>(name: string): T => JSON.parse(readFileSync(join(data, 'robots-facts', name), 'utf8')) as T

interface Facts {
  readonly cases: readonly {
    readonly id: string
    readonly scope: 'rfc' | 'lenient' | 'google-only' | 'ambiguous'
    readonly robots: string
    readonly checks: readonly { readonly agent: string; readonly url: string; readonly allowed: boolean }[]
  }[]
  readonly pathOfUrl: readonly { readonly url: string; readonly path: string }[]
  readonly tokens: { readonly valid: readonly string[]; readonly invalid: readonly string[] }
}

/**
 * Where the RFC leaves a choice we take the leniencies of large crawlers, and in `google-only` the RFC's answer: that
 * `/index.html` may be read does not open its folder.
 */
const ourOwnAnswers: Readonly<Record<string, boolean>> = {
  'index-html-is-directory http://foo.com/allowed-slash/': false,
}

describe.skipIf(!isThere)('facts of a large crawler', () => {
  const facts = isThere
    ? readJson<Facts>('google-robotstxt-facts.json')
    : { cases: [], pathOfUrl: [], tokens: { valid: [], invalid: [] } }

  test.each(facts.cases.map(fact => [fact.scope, fact.id, fact] as const))(
    '%s: %s',
    (_scope, id, { robots, checks }) => {
      for (const { agent, url, allowed } of checks) {
        const expected = ourOwnAnswers[`${id} ${url}`] ?? allowed
        expect(parseRobots(robots, agent).allows(new URL(url)), `${agent} on ${url}`).toBe(expected)
      }
    },
  )

  test('a URL is compared by its path and query', () => {
    for (const { url, path } of facts.pathOfUrl.filter(fact => fact.url !== '')) expect(pathOf(new URL(url))).toBe(path)
  })

  test('what is no product token by itself is cut down to one', () => {
    for (const token of facts.tokens.valid) expect(productToken(token)).toBe(token)
    for (const text of facts.tokens.invalid) expect(productToken(text)).not.toBe(text)
  })
})

interface Expectations {
  readonly allow: Readonly<Record<string, readonly (readonly [agent: string, path: string, allowed: boolean])[]>>
  readonly crawlDelaySeconds: Readonly<Record<string, Readonly<Record<string, number | null>>>>
  readonly ambiguous: readonly {
    readonly file: string
    readonly agent: string
    readonly path: string
    readonly byOctetCount: boolean
  }[]
}

/** As the fetcher hands it over, so that byte order marks and the encoding are read on the way. */
function rulesOf(file: string, agent: string): RobotsRules {
  const body = new Uint8Array(readFileSync(join(data, 'crawler-commons-robots', file)))
  const finding = findingOf(
    { kind: 'page', page: { body, headers: {} } as unknown as Page },
    agent,
    'https://a.test/robots.txt',
  )
  if (finding.kind !== 'rules') throw new Error(`${file} was read as ${finding.kind}`)
  return finding.rules
}
const isAllowed = (file: string, agent: string, path: string): boolean =>
  rulesOf(file, agent).allows(new URL(path, 'https://a.test'))

describe.skipIf(!isThere)('files of crawler-commons', () => {
  const expectations = isThere
    ? readJson<Expectations>('crawler-commons-expectations.json')
    : { allow: {}, crawlDelaySeconds: {}, ambiguous: [] }

  test.each(Object.entries(expectations.allow))('%s', (file, checks) => {
    for (const [agent, path, allowed] of checks)
      expect(isAllowed(file, agent, path), `${agent} on ${path}`).toBe(allowed)
  })

  test.each(Object.entries(expectations.crawlDelaySeconds))('the delays of %s', (file, delays) => {
    for (const [agent, seconds] of Object.entries(delays))
      expect(rulesOf(file, agent).crawlDelayMs, agent).toBe(seconds === null ? null : seconds * 1_000)
  })

  test.each(expectations.ambiguous.map(choice => [choice.file, choice] as const))(
    'of patterns in %s the one with more octets wins, whatever its stars are worth',
    (file, { agent, path, byOctetCount }) => {
      expect(isAllowed(file, agent, path)).toBe(byOctetCount)
    },
  )

  test.each(['robots-with-utf16le-bom.txt', 'robots-with-utf16be-bom.txt'])('%s means what it means in UTF-8', file => {
    for (const agent of ['*', 'foobot', 'barbot', 'bazbot', 'quxbot', 'foo', 'crawler1'])
      for (const path of ['/', '/example/page.html', '/publications/', '/allowed', '/x'])
        expect(isAllowed(file, agent, path), `${agent} on ${path}`).toBe(
          isAllowed('robots-with-utf8-bom.txt', agent, path),
        )
  })
})
