import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/bundled')
const keptMs = 3_600_000

/** Another one with whatever a bundle is made of. */
function stateOfSources(): string {
  const inFolder = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  const hash = createHash('sha1')
  for (const file of [...['src', 'workers', '.ci'].flatMap(inFolder).toSorted(), 'package.json', 'package-lock.json']) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 12)
}

/** A run of tests that uses one of them has said so when it began. */
function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    const usedAtMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - usedAtMs > keptMs) rmSync(folder, { recursive: true, force: true })
  }
}

/** Built under another name and then renamed: nobody sees half of one, and of two at once either will do. */
function build(folder: string): void {
  mkdirSync(cache, { recursive: true })
  removeOld()
  const building = mkdtempSync(join(cache, 'building-'))
  execFileSync(process.execPath, ['.ci/bundle.ts', join(building, 'dist')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  cpSync(join(root, 'package.json'), join(building, 'package.json'))
  try {
    renameSync(building, folder)
  } catch {
    rmSync(building, { recursive: true })
  }
}

/**
 * The package as it is published, made from the sources as they are now. It is what processes and threads run that tests
 * start: a short one is mostly finding, reading and linking modules, and sources are hundreds of them.
 *
 * @returns the folder that stands for `dist`; null where the sources cannot be bundled, so that they run as they stand
 */
export function bundled(): string | null {
  const folder = join(cache, stateOfSources())
  try {
    if (!existsSync(folder)) build(folder)
    utimesSync(folder, new Date(), new Date())
    return join(folder, 'dist')
  } catch (error) {
    console.warn(`No bundle for the processes and threads of tests, they run from the sources: ${error}`)
    return null
  }
}
