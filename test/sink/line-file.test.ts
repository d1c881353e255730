import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { createLineFile } from '../../src/sink/line-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sink-'))
})
afterAll(() => rm(folder, { recursive: true }))

const line = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`)

describe('a file of lines', () => {
  test('holds every line in the order of the writes, and says where it ends', async () => {
    const path = join(folder, 'order.jsonl')
    await using file = await createLineFile(path)
    for (let nth = 0; nth < 50; nth += 1) await file.write([line(`{"nth":${nth}}`), line('{}')], 2)
    const text = await readFile(path)
    expect(file.position).toEqual({ bytes: text.byteLength, lines: 100, crc: crc32(text) })
    expect(
      text
        .toString()
        .split('\n')
        .filter(one => one.includes('nth'))
        .map(one => JSON.parse(one).nth),
    ).toEqual(Array.from({ length: 50 }, (_, nth) => nth))
  })

  test('goes on where it was committed, and cuts off what lies beyond', async () => {
    const path = join(folder, 'resume.jsonl')
    const first = await createLineFile(path)
    await first.write([line('1')], 1)
    const { position } = first
    await first.write([line('2')], 1)
    await first[Symbol.asyncDispose]()
    await using second = await createLineFile(path, position)
    await second.write([line('3')], 1)
    expect(await readFile(path, 'utf8')).toBe('1\n3\n')
    expect(second.position).toMatchObject({ bytes: 4, lines: 2, crc: crc32('1\n3\n') })
  })

  test('that is shorter than what was committed is an error that says so', async () => {
    const path = join(folder, 'short.jsonl')
    await writeFile(path, '1\n2\n')
    await truncate(path, 3)
    await expect(createLineFile(path, { bytes: 4, lines: 2, crc: 0 })).rejects.toMatchObject({
      code: 'SINK_FAILED',
      message: expect.stringContaining('byte 3'),
    })
  })

  test('can be closed twice, and takes nothing afterwards', async () => {
    const file = await createLineFile(join(folder, 'twice.jsonl'))
    await file[Symbol.asyncDispose]()
    await file[Symbol.asyncDispose]()
    await expect(file.write([line('1')], 1)).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })

  test('in a place that cannot be written is one clear error that names the file', async () => {
    const path = join(folder, 'missing', 'items.jsonl')
    await expect(createLineFile(path)).rejects.toSatisfy(
      thrown =>
        thrown instanceof MillraceError &&
        thrown.code === 'SINK_FAILED' &&
        thrown.message.includes(path) &&
        thrown.cause !== undefined,
    )
  })

  test('on a full disk is an error that names the file, and stays one', async () => {
    const handle = await open('/dev/full', 'w').catch(() => null)
    if (handle === null) return console.log('skipped: no /dev/full here')
    await handle.close()
    await using file = await createLineFile('/dev/full')
    await expect(file.write([line('1')], 1)).rejects.toMatchObject({
      code: 'SINK_FAILED',
      message: expect.stringContaining('/dev/full'),
    })
    await expect(file.write([line('2')], 1)).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })
})
