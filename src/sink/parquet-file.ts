import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { Item, JsonValue } from '../core/wire.ts'
import { type Column, valueAt } from '../stage/columns.ts'
import { fileLines } from './file-lines.ts'
import type { Conversion } from './parquet-thread.ts'

/** Rows that are in memory at once, and come one after the other in the file. */
const rowGroupRows = 20_000

type Rows = readonly Item[]

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A value that is none of its column's kind is null there: kinds come from the schema that made the values. */
function valuesOf(rows: Rows, column: Column): ColumnSource {
  const { name, kind } = column
  const values = rows.map(row => valueAt(row, column))
  const source = (type: NonNullable<ColumnSource['type']>, data: unknown[]): ColumnSource => ({
    name,
    type,
    data,
    nullable: true,
  })
  switch (kind) {
    case 'number':
      return source(
        'DOUBLE',
        values.map(value => (typeof value === 'number' ? value : null)),
      )
    case 'boolean':
      return source(
        'BOOLEAN',
        values.map(value => (typeof value === 'boolean' ? value : null)),
      )
    case 'json':
      return source('JSON', [...values])
    case 'text':
    case 'any':
      return source(
        'STRING',
        values.map(value => (value === null ? null : textOf(value))),
      )
    default:
      return kind satisfies never
  }
}

/** Lines of JSON as a Parquet file, a group of rows at a time. Synchronous in its writes: for a thread of its own. */
export async function writeParquet({ source, target, columns }: Conversion): Promise<void> {
  const file = openSync(target, 'w')
  try {
    const bytes = new ByteWriter()
    const flush = (): void => {
      const held = new Uint8Array(bytes.buffer, 0, bytes.index)
      for (let offset = 0; offset < held.byteLength; ) offset += writeSync(file, held, offset)
      bytes.index = 0
    }
    const schema = schemaFromColumnData({ columnData: columns.map(column => valuesOf([], column)) })
    const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'millrace' })
    const write = async (rows: Rows): Promise<void> => {
      await writer.write({ columnData: columns.map(column => valuesOf(rows, column)), rowGroupSize: rowGroupRows })
      flush()
    }
    let rows: Item[] = []
    for await (const line of fileLines(source)) {
      rows.push(JSON.parse(line.toString()))
      if (rows.length < rowGroupRows) continue
      await write(rows)
      rows = []
    }
    if (rows.length > 0) await write(rows)
    await writer.finish()
    flush()
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
