import { join } from 'node:path'

const { MILLRACE_DIST: dist } = process.env

/** The command line that tests start: that of the bundle, where their run has made one. */
export const main = dist === undefined ? join(import.meta.dirname, '../src/cli/main.ts') : join(dist, 'src/cli/main.js')
