import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = (file: string): string => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)
const folder = mkdtempSync(join(tmpdir(), 'millrace-optimiser-'))

/**
 * A process of its own, since flags are those of a process. It tells what Node says of its compiled code, for each of
 * two threads.
 */
const script = (kept: string): string => `
  import { enableCompileCache } from 'node:module'
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  import { cachedDataVersionTag } from 'node:v8'
  import { delayOptimiser } from ${source('run/optimiser.ts')}
  const former = cachedDataVersionTag()
  delayOptimiser(process.execArgv)
  const isSet = cachedDataVersionTag() !== former
  process.env.NODE_COMPILE_CACHE = enableCompileCache(${JSON.stringify(kept)}).directory
  for (const nth of [1, 2]) {
    process.stderr.write('thread ' + nth + '\\n')
    await once(new Worker(new URL(${source('core/deque.ts')})), 'exit')
  }
  process.stdout.write(JSON.stringify({ isSet }))`

test('a thread finds code that another compiled under the same flags', () => {
  const kept = join(folder, 'kept')
  const file = join(folder, 'script.mjs')
  writeFileSync(file, script(kept))
  try {
    const { stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    })
    expect(JSON.parse(stdout)).toEqual({ isSet: true })
    const [, first = '', second = ''] = stderr.split(/thread \d\n/)
    expect(first).not.toMatch(/ESM file:.*deque\.ts was accepted/)
    expect(second).toMatch(/ESM file:.*deque\.ts was accepted/)
    // One set of flags, one folder.
    expect(readdirSync(kept)).toHaveLength(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each(['--invocation-count-for-turbofan=99', '--invocation_count_for_turbofan=99'])(
  'a user who has set %s is left alone',
  flag => {
    const untouched = `
      import { cachedDataVersionTag } from 'node:v8'
      import { delayOptimiser } from ${source('run/optimiser.ts')}
      const flags = cachedDataVersionTag()
      delayOptimiser(process.execArgv)
      console.log(cachedDataVersionTag() === flags)`
    const args = [flag, '--input-type=module', '-e', untouched]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('true\n')
  },
)
