import { describe, expect, test } from 'vitest'
import { newTask, robotsPage } from '../../src/core/task.ts'
import { answersAtOnce, answersInTurn } from '../../src/replay/answers.ts'
import { createLatency } from '../../src/replay/latency.ts'
import type { Chain, PageAttempt, RecordedAttempt } from '../../src/replay/recording.ts'
import { createReplayFetcher } from '../../src/replay/replay-fetcher.ts'
import { createSimClock } from '../sim/clock.ts'

const timing = { connectMs: 20, firstByteMs: 100, totalMs: 150 }
const head =
  'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-orig-transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n'
const at = '2030-01-01T00:00:00.000Z'
const url = 'https://shop.test/a'
const about = { url, page: 'p', at, timing, tookMs: 150 }

const page: PageAttempt = { ...about, kind: 'page', nth: 1, atByte: 0, headBytes: head.length, bodyBytes: 5 }
const refused: RecordedAttempt = {
  ...about,
  ...{ kind: 'barren', nth: 0, outcome: { kind: 'throttled', status: 429, retryAfterMs: 500, timing } },
}
const moved: RecordedAttempt = {
  ...about,
  ...{ kind: 'barren', nth: 2, outcome: { kind: 'moved', status: 301, url: `${url}b`, reach: 'public', timing } },
}

const recordingOf = (...attempts: readonly RecordedAttempt[]) => {
  const chain: Chain = {
    nth: 0,
    task: { askedUrl: url, page: 'p', depth: 0, session: null, meta: null },
    attempts,
  }
  return {
    chainOf: (askedUrl: string) => (askedUrl === url ? chain : null),
    read: async () => new Uint8Array(Buffer.from(`${head}hello`)),
  }
}

const task = newTask(url, new URL(url), 'p')
const never = new AbortController().signal

function rig(attempts: readonly RecordedAttempt[], answersOf = answersInTurn) {
  const clock = createSimClock()
  const recording = recordingOf(...attempts)
  const fetcher = createReplayFetcher({
    ...{ clock, recording, answers: answersOf(recording), delaysOf: createLatency('recorded', attempts, 1) },
  })
  const log: string[] = []
  const request = {
    task,
    route: null,
    grow: (bytes: number) => log.push(`${bytes} bytes`),
    sent: () => log.push('sent'),
  }
  return { clock, fetcher, log, request }
}

describe('a fetcher over a recording', () => {
  test('gives a page after the time that it took, as it came and dated as it was', async () => {
    const { clock, fetcher, log, request } = rig([page])
    const startMs = clock.nowMs()
    const outcome = await clock.run(() => fetcher.fetch(request, never))
    expect(clock.nowMs() - startMs).toBe(150)
    if (outcome.kind !== 'page') throw new Error(outcome.kind)
    expect(outcome.page).toMatchObject({ status: 200, cameAt: at, timing, task })
    expect(outcome.page.headers).toEqual({ 'content-type': 'text/html', 'transfer-encoding': 'chunked' })
    expect(Buffer.from(outcome.page.body).toString()).toBe('hello')
    expect(outcome.page.body.byteLength).toBe(outcome.page.body.buffer.byteLength)
    expect(log).toEqual(['sent', '5 bytes'])
  })

  test('gives attempts in their turn, and the last one to those who ask too often', async () => {
    const { clock, fetcher, request } = rig([refused, page])
    const kinds: string[] = []
    for (let asked = 0; asked < 3; asked += 1) kinds.push((await clock.run(() => fetcher.fetch(request, never))).kind)
    expect(kinds).toEqual(['throttled', 'page', 'page'])
  })

  test('gives the page that counted where it came more than once', async () => {
    const { clock, fetcher, request } = rig([page, refused, { ...page, at: '2030-01-02T00:00:00.000Z' }])
    for (const _ of [1, 2]) {
      const outcome = await clock.run(() => fetcher.fetch(request, never))
      expect(outcome).toMatchObject({ kind: 'page', page: { cameAt: '2030-01-02T00:00:00.000Z' } })
    }
  })

  test('gives the page at once where only pages are wanted', async () => {
    const { clock, fetcher, request } = rig([refused, moved, page, refused], answersAtOnce)
    expect((await clock.run(() => fetcher.fetch(request, never))).kind).toBe('page')
  })

  test('ends a task whose redirect led nowhere, and lets others go on', async () => {
    const nowhere = rig([moved])
    expect(await nowhere.clock.run(() => nowhere.fetcher.fetch(nowhere.request, never))).toMatchObject({
      kind: 'gone',
      status: 301,
    })
    const onwards = rig([moved, { ...page, url: `${url}b` }])
    expect((await onwards.clock.run(() => onwards.fetcher.fetch(onwards.request, never))).kind).toBe('moved')
    const there = { ...onwards.request, task: { ...task, url: `${url}b` } }
    expect((await onwards.clock.run(() => onwards.fetcher.fetch(there, never))).kind).toBe('page')
  })

  test('counts what the recording does not have, but for robots files', async () => {
    const { clock, fetcher, request } = rig([page])
    const other = newTask('other', new URL('https://other.test/'), 'p')
    const robots = newTask('robots', new URL('https://other.test/robots.txt'), robotsPage)
    for (const each of [other, robots])
      expect(await clock.run(() => fetcher.fetch({ ...request, task: each }, never))).toMatchObject({ kind: 'gone' })
    expect(fetcher.missing).toBe(1)
  })

  test('stops when it is told to', async () => {
    const { clock, fetcher, request } = rig([page])
    const stopping = new AbortController()
    const outcome = fetcher.fetch(request, stopping.signal)
    clock.after(30, () => stopping.abort())
    expect(await clock.run(() => outcome)).toMatchObject({ kind: 'failed', fault: { code: 'ABORTED' } })
  })
})
