import { describe, expect, test } from 'vitest'
import { createCookies } from '../../src/cookies/create-cookies.ts'
import { createJar, type Jar } from '../../src/cookies/jar.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Task } from '../../src/core/task.ts'
import { taskOf } from '../frontier/tasks.ts'
import { createSimClock } from '../sim/clock.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

function jarWith(url: string, ...setCookies: readonly string[]): Jar {
  const jar = createJar()
  for (const setCookie of setCookies) jar.keep(url, setCookie, now)
  return jar
}

describe('a jar', () => {
  for (const [name, setUrl, setCookie, url, sent] of [
    ['sends a cookie back to its host', 'http://a.test/', 'a=1', 'http://a.test/x', 'a=1'],
    ['and not to a host below it', 'http://a.test/', 'a=1', 'http://b.a.test/', null],
    ['to the hosts of its domain', 'http://b.a.test/', 'a=1; Domain=a.test', 'http://c.a.test/', 'a=1'],
    ['whatever the port', 'http://a.test:81/', 'a=1', 'http://a.test:82/', 'a=1'],
    ['to the paths below its path', 'http://a.test/x/y', 'a=1', 'http://a.test/x/z', 'a=1'],
    ['and not beside it', 'http://a.test/x/y', 'a=1', 'http://a.test/z', null],
    ['never a secure one in the clear', 'https://a.test/', 'a=1; Secure', 'http://a.test/', null],
    ['believes no host that speaks for another', 'http://a.test/', 'a=1; Domain=b.test', 'http://b.test/', null],
    [
      'believes no host that speaks for a public suffix',
      'http://a.co.uk/',
      'a=1; Domain=co.uk',
      'http://b.co.uk/',
      null,
    ],
    [
      'keeps one of localhost, said by its domain',
      'http://localhost/',
      'a=1; Domain=localhost',
      'http://localhost/',
      'a=1',
    ],
    ['keeps one of an address', 'http://127.0.0.1/', 'b=1', 'http://127.0.0.1/', 'b=1'],
    ['said by its domain', 'http://127.0.0.1/', 'c=1; Domain=127.0.0.1', 'http://127.0.0.1/', 'c=1'],
    ['and none of them for the other', 'http://localhost/', 'a=1', 'http://127.0.0.1/', null],
    ['keeps one of an address of IPv6', 'http://[::1]/', 'a=1', 'http://[::1]/', 'a=1'],
    ['has no use for one that has ended', 'http://a.test/', 'a=1; Max-Age=0', 'http://a.test/', null],
    ['or for a control character', 'http://a.test/', 'a=1\x7f2', 'http://a.test/', null],
    ['or for a character that no header has', 'http://a.test/', 'a=€', 'http://a.test/', null],
    ['nor for one without end', 'http://a.test/', `a=${'x'.repeat(5_000)}`, 'http://a.test/', null],
    ['knows no names but its own', 'http://a.test/', '__proto__=1', 'http://a.test/', '__proto__=1'],
    ['of whatever host', 'http://constructor/', 'toString=1', 'http://constructor/', 'toString=1'],
  ] as const)
    test(`${name}: ${setCookie.slice(0, 40)}`, () => {
      expect(jarWith(setUrl, setCookie).headerFor(url)).toBe(sent)
      expect(({} as Record<string, unknown>)[1]).toBeUndefined()
    })

  test('takes a cookie back when the site does', () => {
    const jar = jarWith('http://a.test/', 'a=1', 'b=2', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
    expect(jar.headerFor('http://a.test/')).toBe('b=2')
    expect(jar.size).toBe(1)
  })

  test('keeps the latest fifty of a domain', () => {
    const jar = jarWith('http://a.test/', ...Array.from({ length: 500 }, (_, nth) => `c${nth}=1`))
    expect(jar.size).toBe(50)
    expect(jar.headerFor('http://a.test/')?.split('; ')).toEqual(
      Array.from({ length: 50 }, (_, nth) => `c${450 + nth}=1`),
    )
  })

  test('of any number of hosts keeps no more than 3,000', () => {
    const jar = createJar()
    for (let nth = 0; nth < 4_000; nth += 1) jar.keep(`http://h${nth}.test/`, 'a=1', now)
    expect(jar.size).toBe(3_000)
    expect(jar.headerFor('http://h0.test/')).toBeNull()
    expect(jar.headerFor('http://h3999.test/')).toBe('a=1')
  })
})

describe('cookies', () => {
  const clock: Clock = createSimClock()
  const task = (host: string, session: string | null = null): Task => taskOf(`http://${host}/`, { session })

  test('are off without a session unless asked for', () => {
    const cookies = createCookies({ clock, withoutSession: false })
    cookies.keep(task('a.test'), ['a=1'])
    expect(cookies.headerFor(task('a.test'))).toBeNull()
    expect(cookies.size).toBe(0)
    const asked = createCookies({ clock, withoutSession: true })
    asked.keep(task('a.test'), ['a=1'])
    expect(asked.headerFor(task('a.test'))).toBe('a=1')
  })

  test('of one session are never shown by another', () => {
    const cookies = createCookies({ clock, withoutSession: true })
    cookies.keep(task('a.test', 'one'), ['a=1'])
    expect(cookies.headerFor(task('a.test', 'one'))).toBe('a=1')
    expect(cookies.headerFor(task('a.test', 'two'))).toBeNull()
    expect(cookies.headerFor(task('a.test'))).toBeNull()
  })

  test('of the session used longest ago are forgotten beyond the ceilings', () => {
    const cookies = createCookies({ clock, withoutSession: false, maxJars: 3, maxCookies: 8 })
    for (const session of ['one', 'two', 'three']) cookies.keep(task('a.test', session), ['a=1', 'b=2'])
    expect(cookies.headerFor(task('a.test', 'one'))).toBe('a=1; b=2')
    cookies.keep(task('a.test', 'four'), ['a=1', 'b=2'])
    expect(cookies.headerFor(task('a.test', 'two'))).toBeNull()
    expect(cookies.size).toBe(6)
    cookies.keep(task('a.test', 'four'), ['c=1', 'd=2', 'e=3'])
    expect(cookies.headerFor(task('a.test', 'three'))).toBeNull()
    expect(cookies.headerFor(task('a.test', 'one'))).not.toBeNull()
    expect(cookies.size).toBe(7)
  })
})
