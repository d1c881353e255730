import { describe, expect, test } from 'vitest'
import { isBinary } from '../../src/fetch/body-plan.ts'
import { createRawServer } from '../servers/raw.ts'
import { fetcherWith, get, getOnce, messageOf, never, taskFor, wordsOf } from './kit.ts'

describe('types', () => {
  for (const type of [
    'image/png',
    'IMAGE/JPEG; q=1',
    'video/mp4',
    'audio/mpeg',
    'font/woff2',
    'application/pdf',
    'application/zip',
    ' application/octet-stream ;x',
    'application/x-7z-compressed',
    'application/vnd.ms-excel',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/wasm',
  ])
    test(`${type} is binary`, () => expect(isBinary(type)).toBe(true))

  for (const type of [
    '',
    'text/html',
    'text/html; charset=utf-8, text/html',
    'application/xhtml+xml',
    'application/json',
    'application/ld+json',
    'application/gzip',
    'application/x-gzip',
    'image/svg+xml',
    'application/zipped-text',
    'unknown',
    'x',
  ])
    test(`${type || 'no type'} may be a page`, () => expect(isBinary(type)).toBe(false))
})

/** A request that notes what the page budget is told. */
function counted(url: string) {
  const chunks: number[] = []
  return { request: { task: taskFor(url), proxy: null, grow: (bytes: number) => void chunks.push(bytes) }, chunks }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

describe('on headers', () => {
  const endless = (head: string) =>
    createRawServer(({ socket }) => {
      const more = (error?: Error | null): void => {
        if (!error) socket.write('x'.repeat(1_000), more)
      }
      socket.write(head, more)
      return undefined
    })

  test('an image is refused before its body is paid for, and the connection closed', async () => {
    await using server = await endless(
      'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000000\r\n\r\n',
    )
    await using fetcher = fetcherWith()
    const { request, chunks } = counted(server.url())
    const outcome = await fetcher.fetch(request, never)
    expect(wordsOf(outcome)).toBe('failed CONTENT_TYPE')
    expect(outcome).toMatchObject({ status: 200, timing: { totalMs: expect.any(Number) } })
    expect(chunks).toEqual([])
    await server.idle()
  })

  test('an image is read by whoever wants it', async () => {
    await using server = await createRawServer(
      'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx',
    )
    expect(wordsOf(await getOnce(server.url(), { refuseBinary: false }))).toBe('page 200 "x"')
  })

  test('a declared length above the cap is refused at once', async () => {
    await using server = await endless('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n')
    const outcome = await getOnce(server.url(), { bodyBytes: 1_000 })
    expect(wordsOf(outcome)).toBe('failed BODY_TOO_LARGE')
    expect(messageOf(outcome)).toContain('limits.bodyBytes is 1000')
    await server.idle()
  })

  test('an absurd length is refused and not believed', async () => {
    await using server = await createRawServer('HTTP/1.1 200 OK\r\nContent-Length: 9007199254740991\r\n\r\nx')
    expect(wordsOf(await getOnce(server.url()))).toBe('failed BODY_TOO_LARGE')
  })

  test('a body that grows above the cap is given up there', async () => {
    await using server = await endless('HTTP/1.1 200 OK\r\n\r\n')
    await using fetcher = fetcherWith({ bodyBytes: 100_000 })
    const { request, chunks } = counted(server.url())
    expect(wordsOf(await fetcher.fetch(request, never))).toBe('failed BODY_TOO_LARGE')
    expect(sumOf(chunks)).toBeLessThanOrEqual(100_000)
    await server.idle()
  })

  test('a body of exactly the cap is a page, and the budget was told of every byte', async () => {
    await using server = await createRawServer(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(1_000)}`)
    await using fetcher = fetcherWith({ bodyBytes: 1_000 })
    const { request, chunks } = counted(server.url())
    const outcome = await fetcher.fetch(request, never)
    expect(outcome.kind).toBe('page')
    expect(sumOf(chunks)).toBe(1_000)
    await get(fetcher, server.url())
    expect(server.connections).toBe(1)
  })
})
