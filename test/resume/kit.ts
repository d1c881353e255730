import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../sim/random.ts'

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname

export interface Chaos {
  /** Folder in which `job.yaml` lies; the output goes to `out` in it. */
  readonly folder: string
  readonly kills: number
  readonly seed: number
  /** Longest time a process is left alone. */
  readonly longestMs: number
}

/** Starts the same command again and again and kills it at random moments, at last lets it end. Its exit codes. */
export async function killAgainAndAgain({
  folder,
  kills,
  seed,
  longestMs,
}: Chaos): Promise<readonly (number | null)[]> {
  const random = createRandom(seed)
  const codes: (number | null)[] = []
  for (let nth = 0; nth <= kills; nth += 1) {
    const child = spawn(process.execPath, [main, 'run', 'job.yaml', '--out', 'out', '--quiet'], {
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

export async function urlsIn(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'out', 'items.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line)._url)
}
