import { expect, test } from 'vitest'
import { type ErrorCode, faultOf } from '../../src/core/errors.ts'
import { createEvents } from '../../src/core/events.ts'
import { newTask } from '../../src/core/task.ts'
import { gatherTimeline } from '../../src/observe/timeline.ts'
import { simulate, urlsOf } from '../crawl/kit.ts'
import { createSimParser } from '../sim/parser.ts'

const task = newTask('1', new URL('http://a.test/'), 'page')
const nothing = { timing: null, heldMs: 0, bodyBytes: 0 } as const
const answered = { ...nothing, task, outcome: 'page', code: null, status: 200, bodyBytes: 500 } as const
const parsed = {
  task,
  code: null,
  parseMs: 1,
  queuedMs: 0,
  bodyBytes: 500,
  decodedBytes: 900,
  items: 1,
  links: 0,
  cpuMs: 40,
  parts: { decodeMs: 1, serialiseMs: 1 },
  engine: 'stream',
  audit: null,
  brokenBlocks: 0,
} as const

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

function started() {
  let nowMs = 0
  const events = createEvents(`timeline ${expect.getState().currentTestName}`)
  const timeline = gatherTimeline(events.run, () => nowMs)
  events.emit('run.started', () => ({ name: 'x', atMs: 0 }))
  return { events, timeline, at: (ms: number) => (nowMs = ms) }
}

test('requests in flight are those that were admitted and have no answer yet', () => {
  const { events, timeline, at } = started()
  events.emit('task.admitted', () => ({ task, hostInFlight: 1 }))
  events.emit('task.admitted', () => ({ task, hostInFlight: 2 }))
  at(100)
  events.emit('task.fetched', () => answered)
  at(200)
  events.emit('task.fetched', () => answered)
  const { inFlight, answers, bytesIn } = timeline.read(300)
  expect({ inFlight, answers, bytesIn }).toEqual({ inFlight: [2, 1, 0], answers: [0, 1, 1], bytesIn: [0, 500, 500] })
})

test('a page that was parsed tells when it waited and when it was worked at', () => {
  const { events, timeline, at } = started()
  events.emit('page.handed', () => ({ task }))
  at(300)
  events.emit('page.parsed', () => ({ ...parsed, parseMs: 300, queuedMs: 200 }))
  const { pages, parseQueue, parsing } = timeline.read(400)
  expect(pages).toEqual([0, 0, 0, 1])
  expect(parseQueue).toEqual([1, 1, 0, 0])
  expect(parsing).toEqual([0, 0, 1, 0])
})

test('a page that went to the parser and never came back waits to the end, whatever times others say', () => {
  const { events, timeline, at } = started()
  for (const _ of [1, 2]) events.emit('page.handed', () => ({ task }))
  at(100)
  events.emit('page.parsed', () => ({ ...parsed, parseMs: 100, queuedMs: 0 }))
  expect(timeline.read(300)).toMatchObject({ parseQueue: [1, 1, 1], parsing: [1, 0, 0] })
})

test('what asked to wait or said no is counted apart from what failed', () => {
  const { events, timeline } = started()
  events.emit('task.fetched', () => ({ ...nothing, task, outcome: 'throttled', code: null, status: 429 }))
  events.emit('task.fetched', () => ({ ...nothing, task, outcome: 'gone', code: null, status: 403 }))
  events.emit('task.fetched', () => ({ ...nothing, task, outcome: 'failed', code: 'CONNECT_TIMEOUT', status: null }))
  const { answers, refused, errors } = timeline.read(100)
  expect({ answers, refused }).toEqual({ answers: [2], refused: [2] })
  expect(errors).toEqual({ THROTTLED: [1], HTTP_STATUS: [1], CONNECT_TIMEOUT: [1] })
})

test('a page that is a block by its text is refused in the step of its answer, once, and fails when it is read', () => {
  const { events, timeline, at } = started()
  events.emit('task.fetched', () => answered)
  events.emit('task.fetched', () => answered)
  at(250)
  events.emit('page.unmasked', () => ({ task, code: 'BLOCKED', answeredAtMs: 0 }))
  const fault = faultOf('BLOCKED', 'the page has the block sign "captcha"')
  events.emit('task.settled', () => ({ task, fate: { kind: 'dead', fault, status: 200 } }))
  const { answers, refused, errors } = timeline.read(300)
  expect({ answers, refused, errors }).toEqual({
    answers: [2, 0, 0],
    refused: [1, 0, 0],
    errors: { BLOCKED: [0, 0, 1] },
  })
})

test('a page that is of the proxy by its text is a failure of the proxy, and no refusal of the host', () => {
  const { events, timeline } = started()
  events.emit('task.fetched', () => answered)
  events.emit('page.unmasked', () => ({ task, code: 'PROXY_FAILED', answeredAtMs: 0 }))
  const { answers, refused, errors } = timeline.read(100)
  expect({ answers, refused, errors }).toEqual({ answers: [1], refused: [0], errors: { PROXY_FAILED: [1] } })
})

test('a proxy that refuses a tunnel with 403 fails, and its host has neither answered nor refused', () => {
  const { events, timeline } = started()
  events.emit('task.fetched', () => ({ ...nothing, task, outcome: 'failed', code: 'PROXY_FAILED', status: 403 }))
  const { answers, refused, errors } = timeline.read(100)
  expect({ answers, refused, errors }).toEqual({ answers: [0], refused: [0], errors: { PROXY_FAILED: [1] } })
})

test('each attempt that is blocked is an error, also where another way is tried, and a URL that is not asked for is none', () => {
  const { events, timeline } = started()
  const blocked = { ...nothing, task, outcome: 'failed', code: 'BLOCKED', status: 403 } as const
  const fault = faultOf('BLOCKED', 'by way of de, and not by others')
  events.emit('task.fetched', () => blocked)
  events.emit('task.settled', () => ({ task, fate: { kind: 'retry', notBeforeMs: 0, charge: 'proxy' } }))
  events.emit('task.fetched', () => blocked)
  events.emit('task.settled', () => ({ task, fate: { kind: 'dead', fault, status: 403 } }))
  events.emit('task.settled', () => ({ task, fate: { kind: 'dead', fault, status: null } }))
  const { refused, errors } = timeline.read(100)
  expect({ refused, errors }).toEqual({ refused: [2], errors: { BLOCKED: [2] } })
})

test('a page that cannot be read is an error each time, also where it is fetched once more since its thread died', async () => {
  const faults: Readonly<Record<string, ErrorCode>> = { '/1': 'CONTENT_TYPE', '/2': 'PARSE_CRASHED' }
  const { report } = await simulate({
    job: { seeds: urlsOf('a.test', 4), item: { title: 'h1' }, robots: { ignoreFor: ['a.test'] } },
    hosts: { 'a.test': {} },
    parser: ({ clock, random }) => {
      const threads = createSimParser({ clock, random, threads: 1, law: { kind: 'constant', ms: 5 } })
      return {
        ...threads,
        async parse(request, signal) {
          const reply = await threads.parse(request, signal)
          const code = faults[new URL(request.finalUrl).pathname]
          return code === undefined ? reply : { kind: 'faulted', fault: faultOf(code, request.finalUrl), cpuMs: 5 }
        },
      }
    },
  })
  expect(report.deadByCode).toEqual({ CONTENT_TYPE: 1, PARSE_CRASHED: 1 })
  expect(Object.entries(report.timeline.errors).map(([code, counts]) => [code, sumOf(counts)])).toEqual([
    ['PARSE_CRASHED', 2],
    ['CONTENT_TYPE', 1],
  ])
})

test('of many codes the rarer ones are told together', () => {
  const { events, timeline } = started()
  const codes = [
    'DNS_FAILED',
    'CONNECT_FAILED',
    'CONNECT_TIMEOUT',
    'TLS_FAILED',
    'RESPONSE_TIMEOUT',
    'SERVER_ERROR',
  ] as const
  for (const [nth, code] of codes.entries())
    for (let count = 0; count <= nth; count += 1)
      events.emit('task.fetched', () => ({ ...nothing, task, outcome: 'failed', code, status: null }))
  expect(timeline.read(100).errors).toMatchObject({ SERVER_ERROR: [6], CONNECT_TIMEOUT: [3], other: [3] })
})
