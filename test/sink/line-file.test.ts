import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { createLineFile } from '../../src/sink/line-file.ts'
import { createSimClock } from '../sim/clock.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sink-'))
})
afterAll(() => rm(folder, { recursive: true }))

const line = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`)

describe('a file of lines', () => {
  test('holds every line in order once it is closed', async () => {
    const path = join(folder, 'order.jsonl')
    {
      await using file = await createLineFile({ path, clock: createSimClock(), flushLines: 7 })
      for (let nth = 0; nth < 1000; nth += 1) await file.append(line(`{"nth":${nth}}`), 1)
    }
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(lines.map(text => JSON.parse(text).nth)).toEqual(Array.from({ length: 1000 }, (_, nth) => nth))
  })

  test('is flushed by count', async () => {
    const path = join(folder, 'count.jsonl')
    await using file = await createLineFile({ path, clock: createSimClock(), flushLines: 2 })
    await file.append(line('1'), 1)
    expect(file.written.lines).toBe(0)
    await file.append(line('2'), 1)
    await file.flush()
    expect(file.written.lines).toBe(2)
    expect(await readFile(path, 'utf8')).toBe('1\n2\n')
  })

  test('is flushed by time', async () => {
    const clock = createSimClock()
    const path = join(folder, 'time.jsonl')
    await using file = await createLineFile({ path, clock, flushMs: 100 })
    await file.append(line('1'), 1)
    await clock.advance(99)
    expect(file.written.lines).toBe(0)
    await clock.advance(1)
    await vi.waitFor(() => expect(file.written.lines).toBe(1))
  })

  test('can be closed twice, and takes nothing afterwards', async () => {
    const file = await createLineFile({ path: join(folder, 'twice.jsonl'), clock: createSimClock() })
    await file[Symbol.asyncDispose]()
    await file[Symbol.asyncDispose]()
    await expect(file.append(line('1'), 1)).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })

  test('an unwritable place is one clear error that names the file', async () => {
    const path = join(folder, 'missing', 'items.jsonl')
    await expect(createLineFile({ path, clock: createSimClock() })).rejects.toSatisfy(
      thrown =>
        thrown instanceof MillraceError &&
        thrown.code === 'SINK_FAILED' &&
        thrown.message.includes(path) &&
        thrown.cause !== undefined,
    )
  })

  test('a full disk is an error that names the file, and stays one', async () => {
    const handle = await open('/dev/full', 'w').catch(() => null)
    if (handle === null) return console.log('skipped: no /dev/full here')
    await handle.close()
    const file = await createLineFile({ path: '/dev/full', clock: createSimClock(), flushLines: 1 })
    await file.append(line('1'), 1)
    await expect(file.flush()).rejects.toMatchObject({ code: 'SINK_FAILED' })
    await expect(file.append(line('2'), 1)).rejects.toMatchObject({ code: 'SINK_FAILED' })
    await expect(file[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })
})
