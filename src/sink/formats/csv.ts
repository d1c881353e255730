import type { Format } from './format.ts'
import { lineFiles } from './line-files.ts'

/** A table, a header in each file; `stage/csv.ts` says how it is written. */
export const csv: Format = lineFiles('.csv')
