import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The real pages that the dev dependency htmlparser-benchmark brings: bodies in a stable order. */
export function realPages(): readonly Uint8Array[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('htmlparser-benchmark')), 'files')
  return readdirSync(folder)
    .filter(name => name.endsWith('.html'))
    .sort()
    .map(name => readFileSync(join(folder, name)))
}
