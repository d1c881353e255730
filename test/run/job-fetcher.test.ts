import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'

/** Answers nobody before so many ask. */
async function startPatient(wanted: number) {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    waiting.push(response)
    if (waiting.length < wanted) return
    for (const each of waiting.splice(0))
      each.writeHead(200, { 'content-type': 'text/html' }).end('<title>a page</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Enough memory for all of them, though nobody knows how large they are. */
const room = { bodyBytes: '100kB' }

test('a host is asked for as many pages at once as its limit says, however many those are', async () => {
  using server = await startPatient(100)
  const run = crawl(
    {
      seeds: Array.from({ length: 100 }, (_, nth) => `${server.url}/${nth}`),
      item: { title: 'title' },
      limits: { perHost: { policy: 'fixed', max: 100 }, rate: 'none', delayMs: 0, inFlight: 100, ...room },
      timeouts: { firstByteMs: 5_000 },
      retries: { url: 0 },
    },
    { threads: 0 },
  )
  expect(await run.finished()).toMatchObject({ ledger: { done: 100, failed: 0 } })
}, 20_000)
