import type { Format } from './format.ts'
import { lineFiles } from './line-files.ts'

/** One item a line, as JSON. */
export const jsonl: Format = lineFiles('.jsonl')
