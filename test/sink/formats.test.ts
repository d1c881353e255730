import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Item } from '../../src/core/wire.ts'
import { sqlite as openStore } from '../../src/frontier/stores/sqlite.ts'
import type { Place } from '../../src/sink/formats/format.ts'
import { formats } from '../../src/sink/formats/index.ts'
import { emptyPosition, type Position, type Sink } from '../../src/sink/sink.ts'
import { namedColumns } from '../../src/stage/columns.ts'
import { headOf, type LineFormat, linesOf } from '../../src/stage/line-format.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-formats-'))
})
afterEach(() => rm(folder, { recursive: true }))

const columns = namedColumns(['nth', 'title'])
const csvLines: LineFormat = { kind: 'csv', columns, guard: true }
/** U+2028 ends a line for some readers, and none of JSON; nothing of it may end one here. */
const itemOf = (nth: number): Item => ({ nth, title: `Title, "${nth}"\u2028\nwith two lines` })

const place = (more: Partial<Place> = {}): Place => ({
  clock: realClock,
  base: join(folder, 'items'),
  compress: 'none',
  rotation: null,
  head: null,
  columns,
  ...more,
})

const files = async (ending: RegExp): Promise<string[]> =>
  (await readdir(folder))
    .filter(name => ending.test(name))
    .sort()
    .map(name => join(folder, name))

/** Node reads one frame and leaves the others; `zstd -d` reads them all. */
function framesOf(bytes: Buffer): string {
  let text = ''
  for (let rest = bytes; rest.byteLength > 0; ) {
    const { buffer, engine } = zstdDecompressSync(rest, { info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    text += buffer.toString()
    rest = rest.subarray(engine.bytesWritten)
  }
  return text
}

const textsOf = async (ending: RegExp): Promise<string[]> =>
  Promise.all(
    (await files(ending)).map(async path => {
      const bytes = await readFile(path)
      if (path.endsWith('.gz')) return gunzipSync(bytes).toString()
      return path.endsWith('.zst') ? framesOf(bytes) : bytes.toString()
    }),
  )

const nths = (items: readonly unknown[]): number[] =>
  items.map(item => {
    const { nth, title } = item as { nth: number | string; title: string }
    expect(title).toBe(itemOf(Number(nth)).title)
    return Number(nth)
  })

interface Case {
  readonly name: string
  readonly format: keyof typeof formats
  readonly lines: LineFormat
  readonly more?: Partial<Place>
  /** What is in the output, by somebody else's reader. */
  readonly read: () => Promise<number[]>
}

const readJson = async (): Promise<number[]> =>
  nths(
    (await textsOf(/\.jsonl/)).flatMap(text =>
      text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    ),
  )
const readCsv = async (): Promise<number[]> =>
  nths((await textsOf(/\.csv/)).flatMap(text => parseCsv(text, { columns: true })))
async function readParquet(): Promise<number[]> {
  const rows = []
  for (const path of await files(/\.parquet$/))
    rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(path) })))
  return nths(rows)
}
async function readTable(): Promise<number[]> {
  using database = new DatabaseSync(join(folder, 'state.db'))
  return nths(database.prepare('SELECT * FROM items').all())
}

const json: LineFormat = { kind: 'jsonl' }
const small = { bytes: 200, everyMs: null }
const head = headOf(csvLines)
const cases: readonly Case[] = [
  { name: 'jsonl', format: 'jsonl', lines: json, read: readJson },
  { name: 'jsonl, gzip', format: 'jsonl', lines: json, more: { compress: 'gzip' }, read: readJson },
  {
    name: 'jsonl, zstd, in files',
    format: 'jsonl',
    lines: json,
    more: { compress: 'zstd', rotation: small },
    read: readJson,
  },
  { name: 'csv', format: 'csv', lines: csvLines, more: { head }, read: readCsv },
  {
    name: 'csv, gzip, in files',
    format: 'csv',
    lines: csvLines,
    more: { head, compress: 'gzip', rotation: small },
    read: readCsv,
  },
  { name: 'sqlite', format: 'sqlite', lines: json, read: readTable },
  { name: 'parquet', format: 'parquet', lines: json, read: readParquet },
  { name: 'parquet, in files', format: 'parquet', lines: json, more: { rotation: small }, read: readParquet },
]

test('every format is in the contract', () => {
  expect(new Set(cases.map(({ format }) => format))).toEqual(new Set(Object.keys(formats)))
})

/** A run as the committer does it: lines, then a commit of where they end, with what the commit itself keeps. */
async function process(
  { format, lines, more }: Case,
  start: Position,
  work: (sink: Sink, put: (...items: number[]) => Promise<void>, commit: () => Promise<Position>) => Promise<void>,
): Promise<void> {
  const at = place(more)
  const isTable = format === 'sqlite'
  await using store = isTable
    ? await openStore({ path: join(folder, 'state.db'), clock: realClock, itemColumns: columns })
    : null
  await formats[format].verify(at, start.lines === 0 ? [] : [start])
  await using sink = await formats[format].open(at, start)
  let sequence = start.lines
  await work(
    sink,
    async (...items) => sink.write([linesOf(items.map(itemOf), lines)], items.length),
    async () => {
      sequence += 1
      const output = { sequence, position: { items: sink.position }, rows: sink.takeRows?.() ?? [] }
      await store?.commit({ fates: [], links: [], output })
      return sink.position
    },
  )
}

describe.each(cases)('items as $name', one => {
  test('are each there once, though a process dies between a write and its commit, at every place', async () => {
    let start = emptyPosition
    for (let round = 0; round < 6; round += 1)
      await process(one, start, async (_, put, commit) => {
        await put(3 * round, 3 * round + 1)
        await commit()
        await put(3 * round + 2)
        start = await commit()
        // Written and never committed; the process ends here.
        await put(900 + round)
      })
    await process(one, start, async (sink, put, commit) => {
      await put(18)
      start = await commit()
      await sink.complete?.()
    })
    expect(start.lines).toBe(19)
    expect(await one.read()).toEqual(Array.from({ length: 19 }, (_, nth) => nth))
  })

  test('go on after a run that was complete', async () => {
    let start = emptyPosition
    for (const nth of [0, 1, 2])
      await process(one, start, async (sink, put, commit) => {
        await put(nth)
        start = await commit()
        await sink.complete?.()
      })
    expect(await one.read()).toEqual([0, 1, 2])
  })

  test('that there are none of are an output that can be read', async () => {
    await process(one, emptyPosition, async (sink, _, commit) => {
      await commit()
      await sink.complete?.()
    })
    expect(await one.read()).toEqual([])
  })

  test('take nothing after they were closed', async () => {
    const sink = await formats[one.format].open(place(one.more), emptyPosition)
    await sink[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await expect(sink.write([linesOf([itemOf(1)], one.lines)], 1)).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })

  test('that were changed behind our back are told', async () => {
    if (one.format === 'sqlite') return
    let start = emptyPosition
    await process(one, start, async (_, put, commit) => {
      await put(0, 1, 2, 3, 4, 5)
      start = await commit()
    })
    const [path = ''] = await files(/items/)
    const bytes = await readFile(path)
    bytes[20] = (bytes[20] ?? 0) ^ 1
    await writeFile(path, bytes)
    await expect(formats[one.format].verify(place(one.more), [start])).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })
})

test('a file that was ended may be taken away, and the run goes on', async () => {
  const one: Case = {
    name: '',
    format: 'jsonl',
    lines: json,
    more: { rotation: { bytes: 1, everyMs: null } },
    read: readJson,
  }
  let start = emptyPosition
  await process(one, start, async (_, put, commit) => {
    for (const nth of [0, 1, 2]) {
      await put(nth)
      start = await commit()
    }
  })
  expect((await files(/jsonl/)).map(path => path.slice(-10))).toEqual(['0001.jsonl', '0002.jsonl', '0003.jsonl'])
  await rm(join(folder, 'items-00001.jsonl'))
  await process(one, start, async (_, put) => put(3))
  expect(await readJson()).toEqual([1, 2, 3])
})

test('a file is ended by its age too, as the clock on the wall has it', async () => {
  let nowMs = 0
  const clock = { ...realClock, wallIso: () => new Date(Date.UTC(2030, 0, 1) + nowMs).toISOString() }
  const one: Case = {
    name: '',
    format: 'jsonl',
    lines: json,
    more: { clock, rotation: { bytes: null, everyMs: 60_000 } },
    read: readJson,
  }
  let start = emptyPosition
  for (const [nth, atMs] of [0, 59_000, 61_000, 100_000, 200_000].entries())
    await process(one, start, async (_, put, commit) => {
      nowMs = atMs
      await put(nth)
      start = await commit()
    })
  expect((await textsOf(/jsonl/)).map(text => text.split('\n').length - 1)).toEqual([2, 2, 1])
})
