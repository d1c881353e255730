import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const imported = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** The files that these import of each other, by path: those of one's own, which may change, and no packages. */
export async function moduleGraphOf(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    if (found.has(path)) return
    found.add(path)
    // A file that is not there yet may come.
    const text = await readFile(path, 'utf8').catch(() => '')
    for (const [, name = ''] of text.matchAll(imported)) await visit(resolve(dirname(path), name))
  }
  for (const path of paths) await visit(resolve(path))
  return [...found]
}
