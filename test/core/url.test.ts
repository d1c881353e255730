import { describe, expect, test } from 'vitest'
import { hostKey, isLoopback, sendableUrl, urlKey, withoutCredentials } from '../../src/core/url.ts'

const key = (text: string): string => urlKey(new URL(text))

describe('two spellings of one page have one key', () => {
  const same: readonly (readonly [string, string])[] = [
    ['http://A.test/x', 'http://a.test/x'],
    ['http://a.test:80/x', 'http://a.test/x'],
    ['http://a.test./x', 'http://a.test/x'],
    ['http://a.test/x#top', 'http://a.test/x'],
    ['http://a.test', 'http://a.test/'],
    ['http://a.test/x?', 'http://a.test/x'],
    ['http://a.test/%7euser', 'http://a.test/~user'],
    ['http://a.test/%e4', 'http://a.test/%E4'],
    ['http://a.test/x?b=2&a=1', 'http://a.test/x?a=1&b=2'],
    ['http://a.test/x?a=1&&b=2', 'http://a.test/x?a=1&b=2'],
    ['http://a.test/a/../x', 'http://a.test/x'],
    ['http://u:p@a.test/x', 'http://a.test/x'],
  ]
  for (const [left, right] of same) test(`${left} and ${right}`, () => expect(key(left)).toBe(key(right)))
})

describe('different pages have different keys', () => {
  const different: readonly (readonly [string, string])[] = [
    ['http://a.test/x', 'https://a.test/x'],
    ['http://a.test/x', 'http://a.test/X'],
    ['http://a.test/x', 'http://a.test/x/'],
    ['http://a.test/x?a=1', 'http://a.test/x?a=2'],
    ['http://a.test:81/x', 'http://a.test/x'],
    ['http://a.test/a%2Fb', 'http://a.test/a/b'],
    ['http://a.test/x?a', 'http://a.test/x?a='],
  ]
  for (const [left, right] of different) test(`${left} and ${right}`, () => expect(key(left)).not.toBe(key(right)))
})

test('the URL is sent as it was found, without its fragment', () => {
  expect(sendableUrl('http://a.test/%7Eb?z=1&a=2#frag')?.href).toBe('http://a.test/%7Eb?z=1&a=2')
})

test('a scheme other than http and https gives no URL to send', () => {
  for (const text of [
    'ftp://a.test/',
    'javascript:1',
    'data:text/html,x',
    'file:///etc/hostname',
    'mailto:a@b.test',
    'http://[bad',
  ])
    expect(sendableUrl(text), text).toBeNull()
})

test('a relative reference is joined to its base', () => {
  expect(sendableUrl(' \n/a\t', 'http://a.test/b/c')?.href).toBe('http://a.test/a')
  expect(sendableUrl('//b.test/x', 'https://a.test/')?.href).toBe('https://b.test/x')
})

test('a lane is named by the host and its port where that is not the default', () => {
  expect(hostKey(new URL('https://A.test:443/x'))).toBe('a.test')
  expect(hostKey(new URL('http://a.test.:8080/'))).toBe('a.test:8080')
})

test('names and addresses of this machine are told from others', () => {
  for (const host of ['localhost', 'shop.localhost:80', '127.0.0.1', '127.9.9.9:1', '[::1]:80'])
    expect(isLoopback(host), host).toBe(true)
  for (const host of ['localhost.test', '128.0.0.1', 'a.test', 'xlocalhost', '[::2]'])
    expect(isLoopback(host), host).toBe(false)
})

test('credentials do not reach a message', () => {
  expect(withoutCredentials('http://u:p@a.test/x')).toBe('http://a.test/x')
  expect(withoutCredentials('no url')).toBe('no url')
})
