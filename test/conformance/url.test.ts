import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sendableUrl } from '../../src/core/url.ts'
import { resolveLinks } from '../../src/extract/links.ts'
import { requestTargetOf } from '../../src/fetch/request-target.ts'

const path = resolve(import.meta.dirname, '../../../shared/data/wpt-url/urltestdata.json')
const isThere = existsSync(path)
if (!isThere) console.log(`URL conformance skipped: ${path} is not there`)

interface Case {
  readonly input: string
  readonly base: string | null
  readonly failure?: true
  readonly href?: string
  readonly protocol?: string
  readonly hash?: string
}

const cases: readonly Case[] = isThere
  ? JSON.parse(readFileSync(path, 'utf8')).filter((entry: unknown) => typeof entry === 'object')
  : []

/** Only http and https are sent, and no fragment. */
function expectedOf({ failure, href = '', protocol, hash = '' }: Case): string | null {
  if (failure === true || (protocol !== 'http:' && protocol !== 'https:')) return null
  return hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'))
}

test.skipIf(!isThere)('every URL of the web platform tests is resolved as it should, or is not to be sent', () => {
  const wrong = cases.filter(one => (sendableUrl(one.input, one.base ?? undefined)?.href ?? null) !== expectedOf(one))
  console.log(`urltestdata: ${cases.length - wrong.length} of ${cases.length}`)
  expect(cases.length).toBeGreaterThan(800)
  expect(wrong).toEqual([])
})

test.skipIf(!isThere)('every URL that is to be sent is cut into the pieces that a parser sees', () => {
  const urls = cases.flatMap(one => expectedOf(one) ?? [])
  for (const text of urls) {
    const url = new URL(text)
    const target = requestTargetOf(text)
    expect(target, text).toMatchObject({
      isSecure: url.protocol === 'https:',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      origin: url.origin,
    })
    expect(target?.path, text).toBe(text.slice(text.indexOf('/', url.protocol.length + 2)))
  }
  expect(urls.length).toBeGreaterThan(200)
})

test.skipIf(!isThere)('every link of the web platform tests leads where it should', () => {
  const links = cases.filter(({ base }) => base !== null && /^https?:/.test(base))
  const wrong = links.filter(one => {
    const [url] = resolveLinks([{ value: one.input, isNofollow: false }], one.base ?? '').urls
    return (url?.href ?? null) !== expectedOf(one)
  })
  expect(wrong).toEqual([])
})
