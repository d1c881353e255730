import { describe, expect, test } from 'vitest'
import type { DirectFetcher } from '../../src/fetch/create-fetcher.ts'
import type { FetchRequest } from '../../src/fetch/fetcher.ts'
import { createH2Server } from '../servers/h2.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert } from './certificates.ts'
import { fetcherWith, get, never, taskFor, wordsOf } from './kit.ts'

const ask = async (fetcher: DirectFetcher, url: string, depart: FetchRequest['depart']): Promise<string> => {
  let writes = 0
  const sent = (): void => {
    writes += 1
  }
  const request = { task: taskFor(url), route: null, grow: () => {}, sent, ...(depart !== undefined && { depart }) }
  return `${wordsOf(await fetcher.fetch(request, never))}, written ${writes}`
}

/** It is let go once it has waited, or withdrawn while it waits. */
const later = (mayLeave: boolean) => () => new Promise<boolean>(resolve => void setImmediate(() => resolve(mayLeave)))

const withdrawals: readonly (readonly [string, FetchRequest['depart']])[] = [
  ['when it could be written', () => false],
  ['while it waits for its turn', later(false)],
]

describe.each(withdrawals)('a request that is withdrawn %s', (_, depart) => {
  test('is not written, and its fresh connection is kept for the next one', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith()
    expect(await ask(fetcher, server.url('/1'), depart)).toBe('failed ABORTED, written 0')
    expect(fetcher.stats).toEqual({ origins: 1, open: 1, idle: 1 })
    expect(await ask(fetcher, server.url('/2'), later(true))).toBe('page 200 "ok", written 1')
    expect(server.requests.map(({ path }) => path)).toEqual(['/2'])
    expect(server.connections).toBe(1)
  })

  test('leaves a kept connection as it was', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith()
    await get(fetcher, server.url('/1'))
    expect(await ask(fetcher, server.url('/2'), depart)).toBe('failed ABORTED, written 0')
    expect(fetcher.stats).toEqual({ origins: 1, open: 1, idle: 1 })
    await get(fetcher, server.url('/3'))
    expect(server.requests.map(({ path }) => path)).toEqual(['/1', '/3'])
    expect(server.connections).toBe(1)
  })

  test('does not begin a stream, and takes no room of its session (HTTP/2)', async () => {
    await using server = await createH2Server((_request, response) => response.end('ok'), {
      settings: { maxConcurrentStreams: 1 },
    })
    await using fetcher = fetcherWith({ http2: true, tls: { ca: cert } })
    for (let round = 0; round < 3; round += 1)
      expect(await ask(fetcher, server.url('/no'), depart)).toBe('failed ABORTED, written 0')
    expect(await ask(fetcher, server.url('/1'), undefined)).toBe('page 200 "ok", written 1')
    expect(await ask(fetcher, server.url('/no'), depart)).toBe('failed ABORTED, written 0')
    expect(await ask(fetcher, server.url('/2'), later(true))).toBe('page 200 "ok", written 1')
    expect(server.requests).toBe(2)
    expect(server.sessions).toHaveLength(1)
    expect(fetcher.stats.idle).toBe(0)
  })

  test('keeps no connection that its server closed meanwhile', async () => {
    await using server = await createRawServer(answerOf('ok'))
    await using fetcher = fetcherWith()
    await ask(fetcher, server.url('/1'), depart)
    await using other = await createRawServer({ answer: answerOf('ok'), accept: socket => void socket.end() })
    await ask(fetcher, other.url('/1'), depart)
    await other.idle()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(fetcher.stats).toEqual({ origins: 1, open: 1, idle: 1 })
  })
})

test('a request whose kept connection is dead asks again before it is written on another, and may be withdrawn', async () => {
  await using server = await createRawServer(({ at, socket }) => {
    if (at === 0) return answerOf('ok')
    socket.destroy()
    return undefined
  })
  await using fetcher = fetcherWith()
  await get(fetcher, server.url('/1'))
  const answers = [true, false]
  expect(await ask(fetcher, server.url('/2'), () => answers.shift() ?? true)).toBe('failed ABORTED, written 1')
  expect(answers).toEqual([])
})
