import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createJar } from '../../src/cookies/jar.ts'

const data = resolve(import.meta.dirname, '../../../shared/data/http-state-cookies')
const isThere = existsSync(data)
if (!isThere) console.log(`cookie conformance skipped: ${data} is not there`)

interface Case {
  readonly test: string
  readonly received: readonly string[]
  readonly sent: readonly { readonly name: string; readonly value: string }[]
  readonly 'sent-to'?: string
}

/** The suite has them in raw bytes. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

test.skipIf(!isThere)('the http-state suite: what a site set is what it is sent', () => {
  const cases: readonly Case[] = JSON.parse(readFileSync(resolve(data, 'parser.json'), 'utf8'))
  const wrong = cases.filter(one => {
    const jar = createJar()
    const setAt = `http://home.example.org/cookie-parser?${one.test}`
    for (const setCookie of one.received) jar.keep(setAt, latin1(setCookie), Date.now())
    const readAt = new URL(one['sent-to'] ?? `/cookie-parser-result?${one.test}`, 'http://home.example.org/')
    const expected = one.sent.map(({ name, value }) => `${name}=${value}`).join('; ')
    return (jar.headerFor(readAt.href) ?? '') !== latin1(expected)
  })
  console.log(
    `http-state: ${cases.length - wrong.length} of ${cases.length}; not: ${wrong.map(({ test: name }) => name)}`,
  )
  expect(wrong.length / cases.length).toBeLessThanOrEqual(0.05)
})

test.skipIf(!isThere)('the http-state suite: dates are read as they are meant', () => {
  const all: Record<string, readonly { readonly test: string; readonly expected: string | null }[]> = JSON.parse(
    readFileSync(resolve(data, 'dates.json'), 'utf8'),
  )
  const dates = Object.values(all).flat()
  const wrong = dates.filter(({ test: date, expected }) => {
    const endMs = expected === null ? null : Date.parse(expected)
    const livesAt = (nowMs: number): boolean => {
      const jar = createJar()
      jar.keep('http://a.test/', `x=1; Expires=${date}`, nowMs)
      return jar.size === 1
    }
    // A date that cannot be read is none, and the cookie lives as long as the session.
    return endMs === null ? !livesAt(Date.UTC(9000, 0)) : !livesAt(endMs - 1_000) || livesAt(endMs)
  })
  console.log(`http-state dates: ${dates.length - wrong.length} of ${dates.length}`)
  expect(wrong).toEqual([])
})
