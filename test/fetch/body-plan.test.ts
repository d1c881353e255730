import { describe, expect, test } from 'vitest'
import { robotsPage } from '../../src/core/task.ts'
import { createTypeGate } from '../../src/fetch/type-gate.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { fetcherWith, get, getOnce, messageOf, never, taskFor, wordsOf } from './kit.ts'

const isRefused = createTypeGate({ accept: [], refuse: [] })

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
    test(`${type} is binary`, () => expect(isRefused(type)).toBe(true))

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
    test(`${type || 'no type'} may be a page`, () => expect(isRefused(type)).toBe(false))

  for (const [accept, refuse, type, refused] of [
    [['text/html'], [], 'text/html; charset=utf-8', false],
    [['text/html'], [], 'application/json', true],
    [['text/html'], [], '', false],
    [['image/*'], [], 'IMAGE/PNG', false],
    [['image/*'], [], 'text/html', true],
    [['*/*'], [], 'application/pdf', false],
    [[], ['application/json'], 'application/json', true],
    [[], ['application/json'], 'text/html', false],
    [[], ['application/json'], 'image/png', true],
    [['text/*'], ['text/css'], 'text/css', true],
    [['text/*'], ['text/css'], 'text/plain', false],
  ] as const)
    test(`accepting ${accept} and refusing ${refuse}, ${type || 'no type'} is ${refused ? 'refused' : 'read'}`, () =>
      expect(createTypeGate({ accept, refuse })(type)).toBe(refused))
})

/** A request that notes what the page budget is told. */
function counted(url: string) {
  const chunks: number[] = []
  return { request: { task: taskFor(url), route: null, grow: (bytes: number) => void chunks.push(bytes) }, chunks }
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
    expect(wordsOf(await getOnce(server.url(), { contentTypes: { accept: ['image/*'], refuse: [] } }))).toBe(
      'page 200 "x"',
    )
  })

  test('a robots file is read whatever its type', async () => {
    await using server = await createRawServer(answerOf('Disallow: /', ['Content-Type: application/octet-stream']))
    await using fetcher = fetcherWith({ contentTypes: { accept: ['text/html'], refuse: [] } })
    const task = { ...taskFor(server.url('/robots.txt')), page: robotsPage }
    expect((await fetcher.fetch({ task, route: null, grow: () => {} }, never)).kind).toBe('page')
  })

  for (const [name, head] of [
    ['of a declared length', 'HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n'],
    ['without any', 'HTTP/1.1 200 OK\r\n\r\n'],
  ] as const)
    test(`a robots file ${name} that is longer than rules get is cut there, whatever the cap of pages`, async () => {
      await using server = await endless(head)
      await using fetcher = fetcherWith({ bodyBytes: 1_000 })
      const { request, chunks } = counted(server.url('/robots.txt'))
      const task = { ...request.task, page: robotsPage }
      const outcome = await fetcher.fetch({ ...request, task }, never)
      // The last byte says that the file goes on.
      expect(outcome.kind === 'page' ? outcome.page.body.byteLength : outcome.kind).toBe(500 * 1024 + 1)
      expect(sumOf(chunks)).toBe(500 * 1024 + 1)
      await server.idle()
    })

  test('a declared length above the cap is refused at once', async () => {
    await using server = await endless('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n')
    const outcome = await getOnce(server.url(), { bodyBytes: 1_000 })
    expect(wordsOf(outcome)).toBe('failed BODY_TOO_LARGE')
    expect(messageOf(outcome)).toContain('limits.bodyBytes is 1000')
    await server.idle()
  })

  test('a declared length is told before the body comes, and one of a file that is cut no further than it is read', async () => {
    await using server = await endless('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n')
    await using page = await createRawServer(answerOf('x'.repeat(2_000)))
    await using fetcher = fetcherWith()
    const told: string[] = []
    const asked = (url: string) => ({
      task: taskFor(url),
      route: null,
      grow: () => void told.push('grows'),
      expect: (wholeBytes: number) => void told.push(`expects ${wholeBytes}`),
    })
    await fetcher.fetch(asked(page.url()), never)
    expect(told.slice(0, 2)).toEqual(['expects 2000', 'grows'])
    told.length = 0
    const robots = asked(server.url('/robots.txt'))
    await fetcher.fetch({ ...robots, task: { ...robots.task, page: robotsPage } }, never)
    expect(told[0]).toBe(`expects ${500 * 1024 + 1}`)
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
