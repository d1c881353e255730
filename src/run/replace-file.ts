import { rename, rm, writeFile } from 'node:fs/promises'
import { sinkFailure } from '../core/errors.ts'

/** Where a file is made whole before it takes its place. */
export const nextOf = (path: string): string => `${path}.next`

/**
 * A file in one step, so that nobody reads half of it, and nobody's link in its place is followed.
 * @throws SINK_FAILED
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const next = nextOf(path)
  try {
    await rm(next, { force: true })
    await writeFile(next, text, { flag: 'wx' })
    await rename(next, path)
  } catch (cause) {
    throw sinkFailure(path, 'could not be written', cause)
  }
}
