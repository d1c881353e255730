import { expect, test } from 'vitest'
import { readerRequest } from '../stage/requests.ts'
import { endless, never, poolOf } from './kit.ts'

test('the body is moved to the worker, not copied', async () => {
  await using parser = poolOf()
  const request = readerRequest('<title>x</title>')
  const reply = parser.parse(request, never)
  await reply
  expect(request.body.byteLength).toBe(0)
})

test('a page that runs away ends its thread with PARSE_TIMEOUT, and its neighbours finish', async () => {
  await using parser = poolOf({ parseMs: 500 })
  const runaway = parser.parse(endless(), never)
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => parser.parse(readerRequest(`<title>${nth}</title>`), never)),
  )
  expect(others.every(reply => reply.kind === 'parsed')).toBe(true)
  const reply = await runaway
  expect(reply).toMatchObject({ kind: 'faulted', fault: { code: 'PARSE_TIMEOUT' } })
  expect(reply.kind === 'faulted' && reply.fault.message).toContain('http://a.test/x')
  expect(parser.stats).toMatchObject({ timeouts: 1, restarts: 1, waiting: 0 })
})

test('time in the queue is not time of the page', async () => {
  await using parser = poolOf({ threads: 1, parseMs: 600 })
  const blocked = parser.parse(endless(), never)
  const queued = parser.parse(readerRequest('<title>x</title>'), never)
  expect((await blocked).kind).toBe('faulted')
  expect((await queued).kind).toBe('parsed')
})

test('a page that waits too long for a thread ends while the thread is still busy, as what it is', async () => {
  await using parser = poolOf({ threads: 1, parseMs: 60_000, queueMs: 100 })
  await parser.ready()
  const stop = new AbortController()
  const blocking = parser.parse(endless(), stop.signal)
  const queued = await parser.parse(readerRequest('<title>x</title>'), never)
  expect(queued).toMatchObject({ kind: 'faulted', fault: { code: 'PARSE_UNBEGUN' } })
  expect(queued.kind === 'faulted' && queued.fault.message).toMatch(
    /^http:\/\/a\.test\/x \(page page\) waited \d+ ms for a thread, longer than 100 ms$/,
  )
  expect(queued.queuedMs).toBeGreaterThanOrEqual(100)
  stop.abort(new Error('enough'))
  await expect(blocking).rejects.toThrow('enough')
  // On a busy machine the thread takes longer to end than a page may wait.
  let next = queued
  while (next.kind === 'faulted' && next.fault.code === 'PARSE_UNBEGUN')
    next = await parser.parse(readerRequest('<title>x</title>'), never)
  expect(next.kind).toBe('parsed')
})

test('a page that needs more memory than a worker has is one typed fault, and the next page is parsed', async () => {
  await using parser = poolOf({ threads: 1, memoryMegabytes: 64 })
  const reply = await parser.parse(readerRequest('<p>x'.repeat(600_000), { page: 'browser' }), never)
  expect(reply).toMatchObject({ kind: 'faulted', fault: { code: 'PARSE_CRASHED' } })
  expect((await parser.parse(readerRequest('<title>x</title>'), never)).kind).toBe('parsed')
})

test('a stop while a page is being parsed ends its thread and rejects with the reason', async () => {
  await using parser = poolOf()
  const stop = new AbortController()
  const reply = parser.parse(endless(), stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await expect(reply).rejects.toThrow('enough')
  expect((await parser.parse(readerRequest('<title>x</title>'), never)).kind).toBe('parsed')
})

test('closing while pages are being parsed leaves nothing behind', async () => {
  const parser = poolOf({ threads: 1 })
  const replies = [endless(), readerRequest('<title>x</title>')].map(request =>
    parser.parse(request, never).catch(() => 'rejected'),
  )
  await parser[Symbol.asyncDispose]()
  for (const reply of replies)
    expect(['rejected', 'faulted']).toContain(
      await reply.then(value => (typeof value === 'string' ? value : value.kind)),
    )
})

test('a pool that is closed before the turn of its first page starts no thread', async () => {
  let threads = 0
  const count = (): void => {
    threads += 1
  }
  // The thread that took the place of the one ended last is announced a turn late.
  await new Promise(resolve => setImmediate(resolve))
  process.on('worker', count)
  try {
    const parser = poolOf()
    const reply = parser.parse(readerRequest('<title>x</title>'), never)
    await Promise.all([parser[Symbol.asyncDispose](), expect(reply).rejects.toMatchObject({ code: 'ABORTED' })])
    await new Promise(resolve => setImmediate(resolve))
    expect(threads).toBe(0)
    await using opened = poolOf()
    await opened.parse(readerRequest('<title>x</title>'), never)
    expect(threads).toBeGreaterThan(0)
  } finally {
    process.off('worker', count)
  }
})
