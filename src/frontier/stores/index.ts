import { memory } from './memory.ts'
import { sqlite } from './sqlite.ts'

/** Where the tasks of a run are kept. A new backend is a file and a line here; the store contract tests it. */
export const stores = { memory, sqlite }
