import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { jsonl } from './jsonl.ts'
import { parquet } from './parquet.ts'
import { sqlite } from './sqlite.ts'

/** What items can be written as, by the name that a job gives it. */
export const formats = { jsonl, csv, sqlite, parquet } as const satisfies Record<string, Format>
