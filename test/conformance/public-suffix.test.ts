import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createJar } from '../../src/cookies/jar.ts'
import { createScope } from '../../src/scope/scope.ts'

const path = resolve(import.meta.dirname, '../../../shared/data/publicsuffix/tests.txt')
const isThere = existsSync(path)
if (!isThere) console.log(`public suffix conformance skipped: ${path} is not there`)

interface Case {
  readonly host: string
  /** What somebody registered; null: the name is a suffix itself. */
  readonly domain: string | null
}

const cases: readonly Case[] = isThere
  ? readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('//'))
      .map(line => line.split(' '))
      .map(([host = '', domain = '']) => ({ host, domain: domain === 'null' ? null : domainToASCII(domain) }))
      // No URL has such a host.
      .filter(({ host }) => host !== 'null' && !host.startsWith('.'))
  : []

const rules = { within: 'same-domain', include: [], exclude: [], maxDepth: null } as const
const urlOf = (host: string, path = '/'): URL => new URL(`http://${host}${path}`)

describe.skipIf(!isThere)('the public suffix list', () => {
  test('says which hosts are of one domain', () => {
    const wrong = cases.filter(({ host, domain }) => {
      const scope = createScope(rules, [urlOf(host).host])
      const isSibling = scope.judge(urlOf(`sibling.${domain ?? host}`)) === 'in'
      // A suffix has no siblings: each name below it is somebody's own.
      return isSibling !== (domain !== null)
    })
    console.log(`public suffixes, scope: ${cases.length - wrong.length} of ${cases.length}`)
    expect(wrong).toEqual([])
  })

  test('says which hosts may have a cookie in common', () => {
    const wrong = cases.filter(({ host, domain }) => {
      const jar = createJar()
      jar.keep(urlOf(`a.${host}`).href, `x=1; Domain=${domain ?? host}`, Date.now())
      return (jar.headerFor(urlOf(`b.${domain ?? host}`).href) === 'x=1') !== (domain !== null)
    })
    console.log(`public suffixes, cookies: ${cases.length - wrong.length} of ${cases.length}`)
    expect(wrong).toEqual([])
  })
})
