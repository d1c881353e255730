import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEvents, type EventMap } from '../../src/core/events.ts'
import { openRunLog } from '../../src/log/run-log.ts'
import { simulate } from '../crawl/kit.ts'

const hosts = {
  'broken.test': { failures: { SERVER_ERROR: 1 } },
  'busy.test': { outages: [{ fromMs: 0, toMs: 20_000, as: 'unavailable' }] },
  'away.test': { outages: [{ fromMs: 0, toMs: 1e9, as: 'refused' }] },
} as const

/** What was settled in a whole crawl of one page of each host, in simulated time. */
async function settledOf(): Promise<readonly EventMap['task.settled'][]> {
  const settled: EventMap['task.settled'][] = []
  const hear = (message: unknown): void => void settled.push(message as EventMap['task.settled'])
  const seeds = Object.keys(hosts).map(host => `http://${host}/`)
  const robots = { ignoreFor: Object.keys(hosts) }
  subscribe('millrace:task.settled', hear)
  await simulate({ job: { seeds, item: { title: 'h1' }, robots, retries: { url: 2 } }, hosts })
  unsubscribe('millrace:task.settled', hear)
  return settled
}

/** The lines of a log in which these were told; files take real time. */
async function linesOf(settled: readonly EventMap['task.settled'][]): Promise<readonly Record<string, unknown>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-log-'))
  try {
    const path = join(folder, 'run.log')
    const events = createEvents('logged')
    {
      await using _log = await openRunLog('logged', path)
      for (const event of settled) events.emit('task.settled', () => event)
    }
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    return lines.map(line => JSON.parse(line))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('each attempt that is made again says what it ended with, and its status where there was one', async () => {
  const lines = await linesOf(await settledOf())
  const retriesOf = (host: string) =>
    lines
      .filter(({ msg, url }) => msg === 'url waits for another try' && url === `http://${host}/`)
      .map(({ code, status, charge }) => ({ code, status, charge }))
  const broken = { code: 'SERVER_ERROR', status: 500, charge: 'url' }
  const refused = { code: 'CONNECT_FAILED', status: null, charge: 'url' }
  expect(retriesOf('broken.test')).toEqual([broken, broken])
  expect(retriesOf('away.test')).toEqual([refused, refused])
  const waits = retriesOf('busy.test')
  expect(waits.length).toBeGreaterThan(0)
  for (const wait of waits) expect(wait).toEqual({ code: 'THROTTLED', status: 503, charge: 'wait' })
})
