import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as realDelay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import { crawl } from '../../src/index.ts'
import { answerOf } from '../servers/raw.ts'

const page = answerOf('<title>a page</title>', ['Content-Type: text/html'])

/** A SOCKS proxy that takes its time with each connection, and answers itself for whatever host lies behind. */
async function startSlowProxy(connectMs: number, answer: (nth: number) => string = () => page) {
  const sockets = new Set<Socket>()
  const askedMs: number[] = []
  let looking = 0
  let mostLooking = 0
  const server = createServer(async socket => {
    sockets.add(socket.on('error', () => {}))
    await once(socket, 'data')
    socket.write(Buffer.from('0500', 'hex'))
    await once(socket, 'data')
    looking += 1
    mostLooking = Math.max(mostLooking, looking)
    await realDelay(connectMs)
    looking -= 1
    socket.write(Buffer.from('05000001000000000000', 'hex'))
    await once(socket, 'data')
    askedMs.push(realClock.nowMs())
    socket.write(answer(askedMs.length), 'latin1')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `socks5h://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    askedMs,
    get mostLooking() {
      return mostLooking
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

test('a host behind proxies that are slow to connect is asked at its rate: connections are looked for ahead of time', async () => {
  await using proxy = await startSlowProxy(400)
  const report = await crawl(
    {
      seeds: Array.from({ length: 30 }, (_, nth) => `http://far.test/${nth}`),
      item: { title: 'title' },
      proxies: { list: [proxy.url] },
      limits: { perHost: { policy: 'fixed', max: 20 }, delayMs: 0, rate: { perSecond: 20 } },
      robots: { ignoreFor: ['far.test'] },
    },
    { threads: 0 },
  ).finished()
  expect(report.items).toBe(30)
  // Eight leave while one is found, and none looks long before its turn. Each by itself would be one at a time.
  expect(proxy.mostLooking).toBeGreaterThanOrEqual(5)
  expect(proxy.mostLooking).toBeLessThanOrEqual(18)
  const gapsMs = proxy.askedMs.slice(1).map((atMs, nth) => atMs - (proxy.askedMs[nth] ?? 0))
  // Our own loop may be late in seeing them.
  expect(Math.min(...gapsMs)).toBeGreaterThan(20)
})

test('within a Retry-After no request is written that looked for its connection before', async () => {
  let saidMs = 0
  await using proxy = await startSlowProxy(400, nth => {
    if (nth !== 8) return page
    saidMs = realClock.nowMs()
    return answerOf('slow down', ['Retry-After: 1'], '429 Too Many Requests')
  })
  const report = await crawl(
    {
      seeds: Array.from({ length: 20 }, (_, nth) => `http://far.test/${nth}`),
      item: { title: 'title' },
      proxies: { list: [proxy.url] },
      limits: { perHost: { policy: 'fixed', max: 20 }, delayMs: 0, rate: { perSecond: 20 } },
      robots: { ignoreFor: ['far.test'] },
    },
    { threads: 0 },
  ).finished()
  expect(report.items).toBe(20)
  // Each once, and the one that was refused twice: a request that was withdrawn was none.
  expect(proxy.askedMs).toHaveLength(21)
  expect(report.hosts[0]?.requests).toBe(21)
  // What was written before the answer came may arrive after it was written.
  expect(proxy.askedMs.filter(atMs => atMs > saidMs + 40 && atMs < saidMs + 950)).toEqual([])
})
