import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { syncedWithinMs } from '../../src/frontier/stores/syncing.ts'
import { startSite, temporaryFolder, tenPages } from '../cli/kit.ts'
import { main } from '../main.ts'

interface Call {
  readonly atMs: number
  readonly name: 'write' | 'sync'
  readonly file: string
}

/** Writes and syncs of the files of a run, as the system saw them; a call cut in two counts from where it ended. */
function callsIn(trace: string): Call[] {
  const open = new Map<string, string>()
  return trace.split('\n').flatMap(line => {
    const [, thread = '', seconds = '', what = ''] = /^(\d+)\s+(\d+\.\d+)\s+(.*)$/.exec(line) ?? []
    if (what.includes('<unfinished')) open.set(thread, what)
    const whole = what.startsWith('<...') ? open.get(thread) : what
    if (whole === undefined || (whole === what && what.includes('<unfinished'))) return []
    const [, call = '', path = ''] = /^(\w+)\(\d+<([^>]+)>/.exec(whole) ?? []
    const name = /^p?write/.test(call) ? 'write' : /^f(data)?sync$/.test(call) ? 'sync' : null
    return name === null ? [] : [{ atMs: Number(seconds) * 1000, name, file: path.split('/').at(-1) ?? '' }]
  })
}

test('lines are synced before the commit that counts on them, and a commit within a second: a power loss costs no more', {
  retry: 2,
  timeout: 60_000,
}, async () => {
  if (spawnSync('strace', ['-V']).status !== 0) return console.log('skipped: no strace here')
  await using site = await startSite((request, response) => void setTimeout(() => tenPages(request, response), 300))
  await using folder = await temporaryFolder()
  await folder.write('job.yaml', `seeds: ["${site.url}/0"]\nitem: { title: title }\nfollow: [a]\n`)
  const trace = join(folder.path, 'trace')
  const watched = ['-f', '-y', '-ttt', '-e', 'trace=pwrite64,write,pwritev,fdatasync,fsync', '-o', trace]
  const run = [process.execPath, main, 'run', 'job.yaml', '--out', 'out', '--quiet']
  const child = spawn('strace', [...watched, ...run], { cwd: folder.path, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) return console.log('skipped: strace may not watch a process here')
  const calls = callsIn(await readFile(trace, 'utf8'))
  const of = (file: string, name: Call['name']): readonly Call[] =>
    calls.filter(call => call.file === file && call.name === name)

  // At no write to the log of the database is there a line that could still be lost.
  let unsynced = 0
  for (const { file, name } of calls) {
    if (file === 'items.jsonl') unsynced = name === 'write' ? unsynced + 1 : 0
    if (file === 'state.db-wal' && name === 'write') expect(unsynced).toBe(0)
  }
  expect(of('items.jsonl', 'sync').length).toBeGreaterThanOrEqual(10)

  const syncs = of('state.db-wal', 'sync')
  const writes = of('state.db-wal', 'write')
  expect(writes.length).toBeGreaterThan(10)
  // The watched process is a slow one.
  const slackMs = 1_000
  const waitsOf = ({ atMs }: Call): number =>
    (syncs.find(sync => sync.atMs >= atMs)?.atMs ?? Number.POSITIVE_INFINITY) - atMs
  expect(Math.max(...writes.map(waitsOf))).toBeLessThan(syncedWithinMs + slackMs)
  // Commits are ten a second, syncs one.
  const lastedMs = (calls.at(-1)?.atMs ?? 0) - (writes[0]?.atMs ?? 0)
  expect(syncs.length).toBeLessThanOrEqual(lastedMs / syncedWithinMs + 5)
})
