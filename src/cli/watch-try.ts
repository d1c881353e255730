import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from './exit.ts'
import { moduleGraphOf } from './module-graph.ts'
import { dim, tell } from './terminal.ts'
import { watchFiles } from './watch-files.ts'

/**
 * Looks at one page again and again: at once, and whenever the job or a module of it has changed. Each look is a process of
 * its own, so that all code is read anew and an endless loop in it is ended by the next change; the page is fetched by the
 * first one and read from a cache by the others. Ends with Ctrl-C.
 * @param args of the command line, without what asks for watching
 * @param filesOf the files to watch, and with them those that they import
 */
export async function watchTry(
  args: readonly string[],
  hasCache: boolean,
  filesOf: () => Promise<readonly string[]>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-try-'))
  const [main = ''] = process.argv.slice(1)
  const command = [...process.execArgv, main, ...args, ...(hasCache ? [] : ['--cache', folder])]
  let child: ChildProcess | null = null
  let watching: Disposable | null = null

  async function again(): Promise<void> {
    child?.kill()
    child = spawn(process.execPath, command, { stdio: 'inherit' })
    const paths = await moduleGraphOf(await filesOf())
    watching?.[Symbol.dispose]()
    watching = watchFiles(paths, () => {
      tell(dim('\nChanged:'))
      void again()
    })
    tell(dim(`Watches ${paths.length === 1 ? '1 file' : `${paths.length} files`}; Ctrl-C ends.`))
  }

  await again()
  return new Promise(resolve => {
    const end = (exitCode: number) => (): void => {
      watching?.[Symbol.dispose]()
      child?.kill()
      rmSync(folder, { recursive: true, force: true })
      resolve(exitCode)
    }
    process.once('SIGINT', end(exitCodes.interrupted))
    process.once('SIGTERM', end(exitCodes.terminated))
  })
}
