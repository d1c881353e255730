import { pipeline, Readable } from 'node:stream'
import { type Info, parse } from 'csv-parse'
import { sendableUrl } from '../core/url.ts'
import type { JsonObject } from '../core/wire.ts'
import type { CsvRules, Seed } from './job.ts'
import { seedOf } from './seed-shape.ts'

/** One row of a table: a seed with its other columns as `meta`, or why there is none. */
export type CsvRow =
  | { readonly kind: 'seed'; readonly line: number; readonly seed: Seed }
  | { readonly kind: 'bad'; readonly line: number; readonly text: string; readonly reason: string }

/** A row beyond is a file of another kind, or a quote that nobody closed. */
const longestRow = 1_000_000
const longestFirstLine = 65_536

const delimiters: readonly string[] = [',', ';', '\t', '|']

const unquoted = (cell: string): string => cell.trim().replace(/^"(.*)"$/s, '$1')

/**
 * The one of the usual delimiters that stands most often in the first line, of those that make the column be there: a
 * URL may have any of them in it.
 */
function delimiterOf(firstLine: string, column: CsvRules['column']): string {
  const candidates = delimiters.map(delimiter => ({ delimiter, cells: firstLine.split(delimiter).map(unquoted) }))
  const fitting = candidates.filter(({ cells }) =>
    typeof column === 'string' ? cells.includes(column) : sendableUrl(cells[column] ?? '') !== null,
  )
  const [first, ...others] = fitting.length === 0 ? candidates : fitting
  return others.reduce(
    (best, each) => (each.cells.length > best.cells.length ? each : best),
    first ?? { delimiter: ',', cells: [] },
  ).delimiter
}

/** The beginning, up to the end of its first line, and then all of it. */
async function withFirstLine(chunks: AsyncIterator<Buffer>): Promise<{ line: string; all: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0)
  while (head.length < longestFirstLine && !head.includes(10)) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
  }
  return { line: head.toString('utf8').split('\n', 1)[0] ?? '', all: all() }
}

/**
 * Names of the columns, and whether the first row is what names them: it is where the URL is asked for by name, and where
 * it is asked for by number and has none.
 */
function headerOf(row: readonly string[], column: CsvRules['column']): readonly string[] | null {
  if (typeof column === 'string') return row
  return sendableUrl(row[column]?.trim() ?? '') === null ? row : null
}

function metaOf(row: readonly string[], names: readonly string[] | null, urlAt: number): JsonObject | null {
  const others = row.flatMap((value, at) => (at === urlAt ? [] : [[names?.[at]?.trim() || String(at), value] as const]))
  return others.length === 0 ? null : Object.fromEntries(others)
}

/**
 * The rows of a table (RFC 4180, and what programs make of it), one at a time.
 * @throws Error the file is no such table; the column is not there
 */
export async function* csvSeeds(
  content: AsyncGenerator<Buffer>,
  { column, delimiter }: CsvRules,
): AsyncGenerator<CsvRow> {
  try {
    const { line: firstLine, all } = await withFirstLine(content)
    const parser = parse({
      bom: true,
      delimiter: delimiter ?? delimiterOf(firstLine.replace(/^\uFEFF/, ''), column),
      info: true,
      max_record_size: longestRow,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    // What fails on the way is thrown where the parser is read.
    pipeline(Readable.from(all), parser, () => {})
    let names: readonly string[] | null = null
    let urlAt = typeof column === 'number' ? column : -1
    let isFirst = true
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (isFirst) {
        isFirst = false
        names = headerOf(record, column)
        if (typeof column === 'string') urlAt = record.findIndex(name => name.trim() === column)
        if (urlAt === -1)
          throw new Error(
            `no column is called ${JSON.stringify(column)}; there are ${record.map(name => JSON.stringify(name.trim())).join(', ')}`,
          )
        if (names !== null) continue
      }
      const url = record[urlAt]?.trim() ?? ''
      const line = info.lines
      if (url === '')
        yield { kind: 'bad', line, text: record.join(','), reason: `column ${JSON.stringify(column)} is empty` }
      else yield { kind: 'seed', line, seed: { ...seedOf({ url }), meta: metaOf(record, names, urlAt) } }
    }
  } finally {
    await content.return(undefined)
  }
}
