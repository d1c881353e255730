import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import { newTask } from '../../src/core/task.ts'
import type { ClosableFetcher } from '../../src/fetch/fetcher.ts'
import { openRecording } from '../../src/replay/open-recording.ts'
import { startRecorder } from '../../src/replay/recorder.ts'
import { createRecordingFetcher } from '../../src/replay/recording-fetcher.ts'
import { smallDisk } from '../resume/kit.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-recorder-'))
})
afterAll(() => rm(folder, { recursive: true }))

const never = new AbortController().signal
const timing = { connectMs: 0, firstByteMs: 5, totalMs: 9 }
const setup = (path: string) => ({ path, goesOn: false, userAgent: 'tests/1.0', software: 'tests' })
const taskOf = (nth: number) => newTask(`${nth}`, new URL(`https://shop.test/${nth}`), 'p')

/** Pages of random bytes, which no compression makes smaller. */
const fetcherOf = (bodyBytes: number, more: Partial<Pick<ClosableFetcher, 'recall'>> = {}): ClosableFetcher => ({
  fetch: async ({ task }) => pageOf(task, bodyBytes),
  ...more,
  async [Symbol.asyncDispose]() {},
})

const random = crypto.getRandomValues(new Uint8Array(65_536))
function pageOf(task: ReturnType<typeof taskOf>, bodyBytes: number): Outcome {
  const body = new Uint8Array(bodyBytes)
  for (let at = 0; at < bodyBytes; at += random.length) body.set(random.subarray(0, bodyBytes - at), at)
  return { kind: 'page', page: { task, status: 200, headers: {}, body, timing, reach: 'public' } }
}

const ask = (fetcher: ClosableFetcher, nth: number): Promise<Outcome> =>
  fetcher.fetch({ task: taskOf(nth), route: null, grow: () => {} }, never)

describe('a recorder', () => {
  test('holds pages back while the disk is behind, and loses none', async () => {
    const path = join(folder, 'many.warc.gz')
    {
      await using recorder = await startRecorder(setup(path))
      const fetcher = createRecordingFetcher(fetcherOf(3_000_000), recorder, realClock)
      let waiting = 0
      const asked = Array.from({ length: 16 }, async (_, nth) => {
        waiting += 1
        const outcome = await ask(fetcher, nth)
        waiting -= 1
        if (outcome.kind === 'page') expect(outcome.page.body.byteLength).toBe(3_000_000)
      })
      await new Promise(resolve => setImmediate(resolve))
      // 48 MB were asked for, and 32 may wait.
      expect(waiting).toBeGreaterThan(3)
      await Promise.all(asked)
    }
    await using recording = await openRecording(path)
    expect(recording.damage).toBeNull()
    expect(recording.chains).toHaveLength(16)
  })

  test('keeps answers that a cache had, dated as they were', async () => {
    const path = join(folder, 'cached.warc.gz')
    const cameAt = '2030-01-01T00:00:00.000Z'
    const recall: ClosableFetcher['recall'] = {
      has: () => true,
      async take(task) {
        const outcome = pageOf(task, 10)
        return outcome.kind === 'page' ? { kind: 'page', page: { ...outcome.page, cameAt } } : null
      },
      forget() {},
      counts: { hits: 0, revalidated: 0, stored: 0 },
    }
    {
      await using recorder = await startRecorder(setup(path))
      const fetcher = createRecordingFetcher(fetcherOf(10, { recall }), recorder, realClock)
      await fetcher.recall?.take(taskOf(1), () => {})
    }
    await using recording = await openRecording(path)
    expect(recording.chains.map(({ attempts }) => attempts.map(({ at }) => at))).toEqual([[cameAt]])
  })

  test('says that it cannot open its file', async () => {
    await expect(startRecorder(setup(join(folder, 'no', 'such', 'folder.warc.gz')))).rejects.toMatchObject({
      code: 'SINK_FAILED',
    })
  })

  test('says that its disk is full, to whoever comes next', async context => {
    await using disk = await smallDisk(400_000)
    if (disk === null) return context.skip('no disk of its own may be mounted here')
    const recorder = await startRecorder(setup(join(disk.path, 'full.warc.gz')))
    const fetcher = createRecordingFetcher(fetcherOf(60_000), recorder, realClock)
    const keepAsking = async (): Promise<void> => {
      for (let nth = 0; nth < 2_000; nth += 1) {
        await ask(fetcher, nth)
        await new Promise(resolve => setImmediate(resolve))
      }
    }
    await expect(keepAsking()).rejects.toMatchObject({ code: 'SINK_FAILED', message: /full\.warc\.gz/ })
    await recorder[Symbol.asyncDispose]()
  })
})
