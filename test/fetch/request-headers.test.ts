import { describe, expect, test } from 'vitest'
import { createRequestHeaders, type HeaderOptions, type OwnHeaders } from '../../src/fetch/request-headers.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { fetcherWith, get, getOnce, taskFor } from './kit.ts'

const userAgent = 'books/1.0 (+https://books.test/bot)'
const headersOf = (options: Partial<HeaderOptions>, own: Partial<OwnHeaders> = {}) => {
  const write = createRequestHeaders({ userAgent, headers: {}, ...options })
  const flat = write(taskFor('http://a.test/'), { authorization: null, cookie: null, ...own })
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], flat[2 * at + 1]]))
}

describe('request headers', () => {
  test('name us, and all that we can decode', () => {
    expect(headersOf({})).toEqual({
      'User-Agent': userAgent,
      Accept: expect.stringContaining('text/html'),
      'Accept-Encoding': 'gzip, deflate, br, zstd',
    })
  })

  test('of the host win over those of the job, and these over ours, in any case of letters', () => {
    const record = { 'x-b': 'host' }
    const headers = headersOf({ headers: { ACCEPT: 'text/plain', 'X-A': '1', 'X-B': 'job' }, headersFor: () => record })
    expect(headers).toEqual({
      'User-Agent': userAgent,
      ACCEPT: 'text/plain',
      'Accept-Encoding': 'gzip, deflate, br, zstd',
      'X-A': '1',
      'x-b': 'host',
    })
  })

  test('carry the credentials of the URL, in place of others', () => {
    const headers = headersOf({ headers: { authorization: 'Bearer x' } }, { authorization: 'Basic eQ==' })
    expect(headers.Authorization).toBeUndefined()
    expect(headers.authorization).toBe('Basic eQ==')
  })

  test('of a page rule win over those of the host', () => {
    const [forHost, forPage] = [{ 'X-A': 'host', 'X-B': 'host' }, { 'x-a': 'page' }]
    const headers = headersOf({ headersFor: () => forHost, pageHeadersFor: () => forPage })
    expect(headers).toMatchObject({ 'x-a': 'page', 'X-B': 'host' })
    expect(headers['X-A']).toBeUndefined()
  })

  test('carry the cookies of a jar beside those that were written', () => {
    expect(headersOf({}, { cookie: 'a=1' }).Cookie).toBe('a=1')
    const forHost = { cookie: 'b=2' }
    expect(headersOf({ headersFor: () => forHost }, { cookie: 'a=1' }).cookie).toBe('b=2; a=1')
  })

  for (const [name, options, path] of [
    ['a line break', { headers: { 'X-A': 'secret\r\nX-B: 2' } }, 'headers.X-A'],
    ['a line feed', { headers: { 'X-A': 'secret\nb' } }, 'headers.X-A'],
    ['a NUL', { headers: { 'X-A': 'secret\0' } }, 'headers.X-A'],
    ['a character that no byte holds', { headers: { 'X-A': 'secret €' } }, 'headers.X-A'],
    ['a line break in a name', { headers: { 'X-A\r\nX-B': 'secret' } }, 'headers.X-A'],
    ['a header of the transport', { headers: { 'Content-length': '5' } }, 'headers.Content-length'],
    ['a second host', { headers: { Host: 'b.test' } }, 'headers.Host'],
    ['a line break in the user agent', { userAgent: 'a\r\nb' }, 'userAgent'],
    ['no user agent', { userAgent: ' ' }, 'userAgent'],
  ] as const)
    test(`${name} is refused before anything is sent, without telling the value`, () => {
      const make = () => createRequestHeaders({ userAgent, headers: {}, ...options })
      expect(make).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(path) }))
      expect(make).not.toThrow(/secret/)
    })

  test('on the wire: one request line, one host, nothing of the credentials in the target', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await getOnce(server.url('/a b?q=é#frag').replace('//', '//me:pw@'), { headers: { 'X-Latin': 'caf\xe9' } })
    const lines = server.requests[0]?.head.split('\r\n') ?? []
    expect(lines[0]).toBe('GET /a%20b?q=%C3%A9 HTTP/1.1')
    expect(lines.filter(line => /^host:/i.test(line))).toEqual([`host: 127.0.0.1:${server.port}`])
    expect(lines).toContain('X-Latin: caf\xe9')
    expect(lines).toContain(`Authorization: Basic ${Buffer.from('me:pw').toString('base64')}`)
  })

  test('bad numbers are refused at construction with their path', () => {
    for (const [options, path] of [
      [{ bodyBytes: 0 }, 'bodyBytes'],
      [{ connections: 0 }, 'connections'],
      [{ idleConnections: -1 }, 'idleConnections'],
      [{ tls: { ca: 'no certificate' } }, 'tls.ca'],
    ] as const)
      expect(() => fetcherWith(options)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(path) }),
      )
  })

  test('credentials are in no message', async () => {
    await using fetcher = fetcherWith()
    const outcome = await get(fetcher, 'http://me:verysecret@localhost:1/')
    expect(JSON.stringify(outcome)).not.toMatch(/verysecret|bWU6/)
  })
})
