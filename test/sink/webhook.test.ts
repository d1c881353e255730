import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { realClock, sleepOn } from '../../src/core/clock.ts'
import { createWebhook, type Delivered, type FailedDelivery, type Webhook } from '../../src/sink/webhook.ts'
import { type Sent, sendBatch } from '../../src/sink/webhook-request.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-webhook-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A clock on which waiting takes no time, and is counted. */
function hurriedClock(): Clock {
  let nowMs = 0
  const after: Clock['after'] = (durationMs, run) => {
    const timer = setImmediate(() => {
      nowMs += durationMs
      run()
    })
    return { [Symbol.dispose]: () => clearImmediate(timer) }
  }
  return { ...realClock, nowMs: () => nowMs, after, sleep: sleepOn(after) }
}

interface Kit {
  readonly webhook: Webhook
  readonly bodies: string[]
  readonly keys: string[]
  readonly kept: Delivered[]
  readonly told: FailedDelivery[]
  readonly write: (...items: number[]) => Promise<Delivered>
}

let end: Delivered = { bytes: 0, lines: 0 }
const taken: Sent = { kind: 'taken' }
const failed: Sent = { kind: 'failed', reason: 'it answered 503', retryAfterMs: null }

/** @param answer what the other side does with the nth request */
function kit(answer: (nth: number) => Sent | Promise<Sent>, start: Delivered = { bytes: 0, lines: 0 }): Kit {
  const path = join(folder, 'items.jsonl')
  const [bodies, keys, kept]: [string[], string[], Delivered[]] = [[], [], []]
  const told: FailedDelivery[] = []
  if (start.bytes === 0) end = start
  let requests = 0
  const webhook = createWebhook({
    clock: hurriedClock(),
    random: () => 0.5,
    url: 'http://user:secret@hook.test/',
    headers: {},
    batch: 2,
    giveUpMs: 60_000,
    path,
    start,
    keep: async delivered => void kept.push(delivered),
    tellFailed: delivery => void told.push(delivery),
    async send(_, { body, headers }) {
      requests += 1
      const sent = await answer(requests)
      if (sent.kind === 'taken') bodies.push(Buffer.from(body as Uint8Array).toString())
      keys.push((headers as Record<string, string>)['idempotency-key'] ?? '')
      return sent
    },
  })
  return {
    webhook,
    bodies,
    keys,
    kept,
    told,
    async write(...items) {
      const text = items.map(nth => `{"nth":${nth}}\n`).join('')
      await appendFile(path, text)
      end = { bytes: end.bytes + text.length, lines: end.lines + items.length }
      return end
    },
  }
}

const nths = (bodies: readonly string[]): number[][] =>
  bodies.map(body => (JSON.parse(body) as { nth: number }[]).map(({ nth }) => nth))

test('items are sent in their order, in batches, as an array of JSON, and how far that came is kept', async () => {
  const { webhook, bodies, kept, write } = kit(() => taken)
  webhook.committed(await write(1, 2, 3, 4, 5))
  await webhook.drained()
  expect(nths(bodies)).toEqual([[1, 2], [3, 4], [5]])
  expect(kept.at(-1)).toEqual(end)
})

test('only what is committed is sent', async () => {
  const { webhook, bodies, write } = kit(() => taken)
  const committed = await write(1)
  await write(2)
  webhook.committed(committed)
  await webhook.drained()
  expect(nths(bodies)).toEqual([[1]])
})

test('a batch that is not taken is sent again, under the same key', async () => {
  const { webhook, bodies, keys, write } = kit(nth => (nth < 4 ? failed : taken))
  webhook.committed(await write(1, 2, 3))
  await webhook.drained()
  expect(nths(bodies)).toEqual([[1, 2], [3]])
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[0])
})

test('that it fails is told after one try, two, and four, with the time that is left', async () => {
  const { webhook, told, write } = kit(nth => (nth < 6 ? failed : taken))
  webhook.committed(await write(1))
  await webhook.drained()
  expect(told.map(({ tries }) => tries)).toEqual([1, 2, 4])
  expect(told[0]).toEqual({ reason: 'it answered 503', tries: 1, leftMs: 60_000 })
})

test('another process goes on after the last batch that was kept', async () => {
  const first = kit(() => taken)
  first.webhook.committed(await first.write(1, 2, 3))
  await first.webhook.drained()
  await first.webhook[Symbol.asyncDispose]()
  const second = kit(() => taken, first.kept[0])
  second.webhook.committed(await second.write(4))
  await second.webhook.drained()
  // Item 3 was sent, and whether it came was not yet kept.
  expect(nths(second.bodies)).toEqual([[3, 4]])
})

test('a run is held back when many items wait, and let go when they are taken', async () => {
  const gate = Promise.withResolvers<Sent>()
  const { webhook, write } = kit(() => gate.promise)
  webhook.committed(await write(...Array.from({ length: 41 }, (_, nth) => nth)))
  let isFree = false
  const room = webhook.room().then(() => {
    isFree = true
  })
  await new Promise(resolve => setImmediate(resolve))
  expect(isFree).toBe(false)
  gate.resolve(taken)
  await room
})

test('one that fails for too long ends the run, with its reason and without its secrets', async () => {
  const { webhook, write } = kit(() => failed)
  webhook.committed(await write(1))
  await expect(webhook.drained()).rejects.toMatchObject({
    code: 'SINK_FAILED',
    message: 'http://hook.test/ did not take the items: it answered 503',
  })
  await expect(webhook.room()).rejects.toMatchObject({ code: 'SINK_FAILED' })
})

test('one that refuses is not asked again', async () => {
  const { webhook, keys, write } = kit(() => ({ kind: 'refused', reason: 'it answered 401' }))
  webhook.committed(await write(1))
  await expect(webhook.drained()).rejects.toMatchObject({ code: 'SINK_FAILED' })
  expect(keys.length).toBe(1)
})

test('closing does not wait for a server that is silent', async () => {
  const { webhook, write } = kit(nth => (nth === 1 ? failed : taken))
  webhook.committed(await write(1))
  await webhook[Symbol.asyncDispose]()
})

test('a real server gets the items, and its answer decides', async () => {
  const answers = [503, 429, 404, 204]
  const seen: { method?: string; type?: string; body: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        type: request.headers['content-type'] ?? '',
        body: Buffer.concat(pieces).toString(),
      })
      response.writeHead(answers[seen.length - 1] ?? 500, { 'retry-after': '2' }).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[{}]' }
  const results: Sent[] = []
  for (const _ of answers) results.push(await sendBatch(url, request))
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  results.push(await sendBatch(url, request))
  expect(results).toMatchObject([
    { kind: 'failed', retryAfterMs: 2000 },
    { kind: 'failed', retryAfterMs: 2000 },
    { kind: 'refused', reason: 'it answered 404' },
    { kind: 'taken' },
    { kind: 'failed', reason: expect.stringMatching(/\w/) },
  ])
  expect(seen[0]).toEqual({ method: 'POST', type: 'application/json', body: '[{}]' })
})
