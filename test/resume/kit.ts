import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '../main.ts'
import { createRandom } from '../sim/random.ts'

export interface Chaos {
  /** Folder in which `job.yaml` lies; the output goes to `out` in it. */
  readonly folder: string
  readonly kills: number
  readonly seed: number
  /** Longest time a process is left alone. */
  readonly longestMs: number
  /** Of its command line. */
  readonly more?: readonly string[]
}

/** Starts the same command again and again and kills it at random moments, at last lets it end. Its exit codes. */
export async function killAgainAndAgain({
  folder,
  kills,
  seed,
  longestMs,
  more = [],
}: Chaos): Promise<readonly (number | null)[]> {
  const random = createRandom(seed)
  const codes: (number | null)[] = []
  for (let nth = 0; nth <= kills; nth += 1) {
    const child = spawn(process.execPath, [main, 'run', 'job.yaml', '--out', 'out', '--quiet', ...more], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    if (nth < kills) {
      await Promise.race([ended, sleep(300 + random() * longestMs)])
      child.kill('SIGKILL')
    }
    const [code] = await ended
    codes.push(code)
    if (code === 0) break
  }
  return codes
}

export async function urlsIn(folder: string, out = 'out'): Promise<string[]> {
  const text = await readFile(join(folder, out, 'items.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line)._url)
}

export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Leaves so much room, or less. */
  fill(leftBytes: number): Promise<void>
  /** All that `fill` took. */
  free(): Promise<void>
}

/** A disk of its own, in memory; null where this process may not mount one. */
export async function smallDisk(bytes: number): Promise<SmallDisk | null> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path])
  if (mounted.status !== 0) {
    await rmdir(path)
    return null
  }
  const filling = join(path, 'filling')
  return {
    path,
    async fill(leftBytes) {
      const { bavail, bsize } = await statfs(path)
      await writeFile(filling, new Uint8Array(Math.max(0, bavail * bsize - leftBytes))).catch(() => {})
    },
    free: () => rm(filling, { force: true }),
    async [Symbol.asyncDispose]() {
      spawnSync('umount', ['-l', path])
      await rmdir(path).catch(() => {})
    },
  }
}

export interface Fillings {
  readonly disk: SmallDisk
  /** Where `job.yaml` lies. */
  readonly folder: string
  readonly times: number
  readonly seed: number
  /** Longest time before the disk is full. */
  readonly longestMs: number
}

/**
 * Starts the same command again and again, its output on a disk that becomes full at a random moment and has room again
 * before the next start; at last it has room until the end. What each process said as it ended, and its exit code.
 */
export async function fillAgainAndAgain({ disk, folder, times, seed, longestMs }: Fillings) {
  const random = createRandom(seed)
  const ends: { readonly code: number | null; readonly stderr: string; readonly isWhole: boolean }[] = []
  const out = join(disk.path, 'out')
  for (let nth = 0; nth <= times; nth += 1) {
    const child = spawn(process.execPath, [main, 'run', 'job.yaml', '--out', out, '--quiet'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += String(chunk)
    })
    const ended = once(child, 'close')
    if (nth < times) {
      await Promise.race([ended, sleep(300 + random() * longestMs)])
      await disk.fill(Math.floor(random() * 20_000))
    }
    const [code] = await ended
    const text = await readFile(join(out, 'items.jsonl'), 'utf8').catch(() => '')
    ends.push({ code, stderr, isWhole: text === '' || text.endsWith('\n') })
    await disk.free()
    if (code === 0) break
  }
  return ends
}
