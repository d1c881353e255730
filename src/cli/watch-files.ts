import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Editors write a file in several steps. */
const quietMs = 80

/**
 * Calls `onChange` when one of these files was written, made or replaced, once for changes that come together. Folders are
 * watched and not files, since many editors write another file and move it into the place of the old one.
 */
export function watchFiles(paths: readonly string[], onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const namesIn = new Map<string, Set<string>>()
  for (const path of paths) {
    const names = namesIn.get(dirname(path)) ?? new Set()
    namesIn.set(dirname(path), names.add(basename(path)))
  }
  const watchers: FSWatcher[] = []
  for (const [folder, names] of namesIn)
    watchers.push(
      watch(folder, (_, name) => {
        if (name !== null && !names.has(name)) return
        clearTimeout(timer)
        timer = setTimeout(onChange, quietMs)
      }),
    )
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
