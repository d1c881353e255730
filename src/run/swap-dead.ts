import { rename } from 'node:fs/promises'
import { sinkFailure } from '../core/errors.ts'
import type { DurableStore } from '../frontier/stores/sqlite.ts'
import type { OutFolder } from './out-folder.ts'
import { nextOf } from './replace-file.ts'

/** In the state of a run: dead letters are being replaced by a shorter file. */
export const swapKey = 'dead-swap'
export const isSwapping = 'yes'

/**
 * The last step of taking dead letters back, whoever gets to it: the state says already that the new file is in place. A
 * process that died before may have come this far or not, and both end alike.
 * @throws SINK_FAILED
 */
export async function finishSwap(
  { dead }: Pick<OutFolder, 'dead'>,
  store: Pick<DurableStore, 'meta' | 'writeMeta'>,
): Promise<void> {
  if (store.meta[swapKey] !== isSwapping) return
  await renameDead(dead)
  await store.writeMeta(swapKey, 'no')
}

export async function renameDead(dead: string): Promise<void> {
  await rename(nextOf(dead), dead).catch(cause => {
    // It has been renamed already.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return
    throw sinkFailure(dead, 'could not be replaced', cause)
  })
}
