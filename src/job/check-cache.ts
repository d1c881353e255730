import { resolve } from 'node:path'
import { byteSize } from './byte-size.ts'
import type { CacheShape } from './cache-shape.ts'
import { defaultCache } from './defaults.ts'
import type { CacheRules } from './job.ts'
import type { Problems } from './problems.ts'

/** Below, a single page could be half of all. */
const leastBytes = 1_000_000

export function checkCache(written: CacheShape | undefined, baseDir: string, problems: Problems): CacheRules | null {
  if (written === undefined) return null
  const {
    dir,
    mode = defaultCache.mode,
    maxAgeHours,
    maxBytes,
  } = typeof written === 'string' ? { dir: written } : written
  if (dir === undefined) problems.refuse(['cache', 'dir'], undefined, 'a folder, relative to the job file')
  if (maxAgeHours !== undefined && mode !== 'reuse')
    problems.say(['cache', 'maxAgeHours'], 'it belongs to `mode: reuse`; `revalidate` goes by what hosts say')
  const bytes = maxBytes === undefined ? defaultCache.maxBytes : byteSize(maxBytes)
  if (bytes === null || bytes < leastBytes)
    problems.refuse(['cache', 'maxBytes'], maxBytes, `a size of at least ${leastBytes} bytes, such as 500MB`)
  return {
    dir: resolve(baseDir, dir ?? ''),
    mode,
    maxAgeHours: maxAgeHours ?? null,
    maxBytes: bytes ?? defaultCache.maxBytes,
  }
}
