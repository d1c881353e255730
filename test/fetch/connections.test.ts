import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { timingOf } from '../../src/core/outcome.ts'
import { answerOf, createRawServer, type RawRequest } from '../servers/raw.ts'
import { createHandClock, fetcherWith, get, messageOf, never, taskFor, wordsOf } from './kit.ts'

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

describe('kept connections', () => {
  test('one connection serves one request after the other', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith()
    for (let round = 0; round < 10; round += 1)
      expect(wordsOf(await get(fetcher, server.url(`/${round}`)))).toBe('page 200 "ok"')
    expect(server.connections).toBe(1)
    expect(fetcher.stats).toEqual({ origins: 1, open: 1, idle: 1 })
  })

  test('the time that a request waited for its turn is no time of the host, also where its connection dies after that', async () => {
    await using server = await createRawServer(({ at, connection, socket }) => {
      if (connection !== 0 || at === 0) return answerOf('ok')
      socket.destroy()
      return undefined
    })
    const hand = createHandClock()
    await using fetcher = fetcherWith({ env: hand.env })
    await get(fetcher, server.url('/first'))
    const depart = async (): Promise<boolean> => {
      await null
      hand.advance(5_000)
      return true
    }
    const request = { task: taskFor(server.url('/second')), route: null, grow: () => {}, depart }
    const outcome = await fetcher.fetch(request, never)
    expect(wordsOf(outcome)).toBe('page 200 "ok"')
    expect(timingOf(outcome)?.totalMs).toBe(0)
  })

  test('small error pages, redirects and refusals leave their connection usable', async () => {
    await using server = await createRawServer(({ path }) =>
      path === '/404'
        ? answerOf('x'.repeat(60_000), [], '404 Not Found')
        : path === '/302'
          ? answerOf('', ['Location: /'], '302 Found')
          : answerOf('slow down', [], '429 Too Many Requests'),
    )
    await using fetcher = fetcherWith()
    for (const path of ['/404', '/302', '/429', '/404']) await get(fetcher, server.url(path))
    expect(server.connections).toBe(1)
  })

  test('an error page too large to read away costs its connection, at once', async () => {
    await using server = await createRawServer('HTTP/1.1 404 Not Found\r\nContent-Length: 100000000\r\n\r\n')
    await using fetcher = fetcherWith()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('gone 404')
    await server.idle()
  })

  test('an error page without a declared end is read up to a bound', async () => {
    await using server = await createRawServer(({ socket }) => {
      const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
      const more = (error?: Error | null): void => {
        if (!error) socket.write(chunk, more)
      }
      socket.write('HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n', more)
      return undefined
    })
    await using fetcher = fetcherWith()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed SERVER_ERROR')
    await server.idle()
  })

  test('an error page that breaks off is still its status', async () => {
    await using server = await createRawServer({
      answer: 'HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nnot',
      close: true,
    })
    await using fetcher = fetcherWith()
    expect(wordsOf(await get(fetcher, server.url()))).toBe('gone 404')
  })

  for (const [name, hangUp] of [
    ['closed', (request: RawRequest) => void request.socket.end()],
    ['reset', (request: RawRequest) => void request.socket.resetAndDestroy()],
  ] as const)
    test(`a kept connection ${name} just as the request is written costs no attempt: it is sent once more`, async () => {
      await using server = await createRawServer(request => {
        if (request.connection > 0 || request.at === 0) return answerOf(`${request.connection}`)
        hangUp(request)
        return undefined
      })
      await using fetcher = fetcherWith()
      expect(wordsOf(await get(fetcher, server.url()))).toBe('page 200 "0"')
      const outcome = await get(fetcher, server.url())
      expect(wordsOf(outcome)).toBe('page 200 "1"')
      expect(server.requests.length).toBe(3)
      expect(outcome.kind === 'page' && outcome.page.timing.connectMs).toBeGreaterThan(0)
    })

  test('it is sent once more only once', async () => {
    await using server = await createRawServer(request => {
      if (request.connection === 0 && request.at === 0) return answerOf('ok')
      request.socket.end()
      return undefined
    })
    await using fetcher = fetcherWith()
    await get(fetcher, server.url())
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed CONNECT_FAILED')
    expect(server.requests.length).toBe(3)
  })

  test('a kept connection that breaks within the answer is an attempt like any other', async () => {
    await using server = await createRawServer(request => {
      if (request.at === 0) return answerOf('ok')
      request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhel')
      return undefined
    })
    await using fetcher = fetcherWith()
    await get(fetcher, server.url())
    expect(wordsOf(await get(fetcher, server.url()))).toBe('failed RESPONSE_TRUNCATED')
    expect(server.requests.length).toBe(2)
  })

  test('the server never sees more requests at a time than the bound, and all are answered', async () => {
    let now = 0
    let peak = 0
    await using server = await createRawServer(({ socket, path }) => {
      now += 1
      peak = Math.max(peak, now)
      void turns(10).then(() => {
        now -= 1
        socket.write(path.endsWith('7') ? answerOf('gone', [], '404 Not Found') : answerOf('ok'))
      })
      return undefined
    })
    await using fetcher = fetcherWith({ connections: 3 })
    await Promise.all(Array.from({ length: 60 }, (_, at) => get(fetcher, server.url(`/${at}`))))
    expect(peak).toBe(3)
    expect(server.connections).toBe(3)
  })
})

describe('many hosts', () => {
  test('2,000 one-shot hosts leave no socket, no listener and no record', async () => {
    await using server = await createRawServer({ answer: answerOf('ok', ['Connection: close']), close: true })
    await using fetcher = fetcherWith()
    const urls = Array.from({ length: 2_000 }, (_, at) => server.url('/', `host-${at}.localhost`))
    let most = 0
    const next = urls.values()
    const worker = async (): Promise<void> => {
      for (const url of next) {
        expect(wordsOf(await get(fetcher, url))).toBe('page 200 "ok"')
        most = Math.max(most, fetcher.stats.origins)
      }
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    await server.idle()
    await turns(10)
    expect(most).toBeLessThanOrEqual(64)
    expect(fetcher.stats).toEqual({ origins: 0, open: 0, idle: 0 })
    expect(getEventListeners(never, 'abort')).toEqual([])
  })

  test('hosts that keep their connections open are bounded by the ceiling', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith({ idleConnections: 5 })
    for (let at = 0; at < 50; at += 1) await get(fetcher, server.url('/', `host-${at}.localhost`))
    await turns(10)
    expect(fetcher.stats).toEqual({ origins: 5, open: 5, idle: 5 })
    expect(server.open).toBe(5)
  })
})

describe('stopping', () => {
  test('an aborted attempt ends at once as ABORTED, its socket closed', async () => {
    await using server = await createRawServer('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhel')
    await using fetcher = fetcherWith()
    const stop = new AbortController()
    const asking = get(fetcher, server.url(), stop.signal)
    while (server.requests.length === 0) await turns(1)
    stop.abort()
    expect(wordsOf(await asking)).toBe('failed ABORTED')
    await server.idle()
  })

  test('an attempt that waits for a connection can be aborted, and one that was aborted before never starts', async () => {
    await using server = await createRawServer('')
    await using fetcher = fetcherWith({ connections: 1 })
    const stop = new AbortController()
    const first = get(fetcher, server.url(), stop.signal)
    const second = get(fetcher, server.url(), stop.signal)
    while (server.requests.length === 0) await turns(1)
    stop.abort()
    expect([await first, await second].map(wordsOf)).toEqual(['failed ABORTED', 'failed ABORTED'])
    expect(wordsOf(await get(fetcher, server.url(), AbortSignal.abort()))).toBe('failed ABORTED')
    await server.idle()
    expect(server.requests.length).toBe(1)
    expect(fetcher.stats.origins).toBe(0)
  })

  test('1,000 attempts under one signal leave no listener, and nobody warns', async () => {
    const warnings: string[] = []
    const warn = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', warn)
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith({ connections: 8 })
    const stop = new AbortController()
    const asking = Array.from({ length: 1_000 }, (_, at) => get(fetcher, server.url(`/${at}`), stop.signal))
    expect(getEventListeners(stop.signal, 'abort').length).toBe(1)
    await Promise.all(asking)
    await turns(2)
    process.off('warning', warn)
    expect(getEventListeners(stop.signal, 'abort').length).toBe(0)
    expect(warnings).toEqual([])
  })

  test('closing ends every socket and every attempt', async () => {
    await using server = await createRawServer(({ path }) => (path === '/ok' ? answerOf('ok') : ''))
    const fetcher = fetcherWith({ connections: 2 })
    await get(fetcher, server.url('/ok'))
    const asking = ['/1', '/2', '/3'].map(path => get(fetcher, server.url(path)))
    while (server.requests.length < 3) await turns(1)
    await fetcher[Symbol.asyncDispose]()
    expect((await Promise.all(asking)).map(wordsOf)).toEqual(Array(3).fill('failed ABORTED'))
    await server.idle()
    expect(wordsOf(await get(fetcher, server.url('/ok')))).toBe('failed ABORTED')
    expect(fetcher.stats).toEqual({ origins: 0, open: 0, idle: 0 })
  })

  for (const how of ['closed', 'left'])
    test(`a process whose fetcher was ${how} ends by itself`, async () => {
      await using server = await createRawServer(answerOf('ok'))
      const script = new URL('./ends-by-itself.ts', import.meta.url).pathname
      const { stdout } = await promisify(execFile)(process.execPath, [script, server.url(), how], { timeout: 15_000 })
      expect(stdout.trim()).toBe('page')
    })
})

describe('a broken contract', () => {
  test('is not quietly passed over: a URL that cannot be sent', async () => {
    await using fetcher = fetcherWith()
    const task = { ...taskFor('http://127.0.0.1:9/'), url: 'ftp://127.0.0.1/' }
    const asked = fetcher.fetch({ task, route: null, grow: () => {} }, never)
    await expect(asked).rejects.toMatchObject({ code: 'INVARIANT' })
  })

  test('a header of one host that is not acceptable is told as what it is', async () => {
    await using fetcher = fetcherWith({ headersFor: () => ({ 'X-A': 'a\r\nb' }) })
    const outcome = await get(fetcher, 'http://127.0.0.1:9/')
    expect(wordsOf(outcome)).toBe('failed CONFIG_INVALID')
    expect(messageOf(outcome)).toContain('hosts.127.0.0.1:9.headers.X-A')
  })
})
