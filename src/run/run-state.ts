import type { Clock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { JsonValue } from '../core/wire.ts'
import { stores } from '../frontier/stores/index.ts'
import type { DurableStore } from '../frontier/stores/sqlite.ts'
import type { TaskStore } from '../frontier/stores/store.ts'
import type { Recovered } from '../frontier/stores/task-rows.ts'
import type { Job } from '../job/job.ts'
import { bindingKeys, changedKeys, type JobSignature, signatureOf } from '../job/job-signature.ts'
import { verifyFile } from '../sink/checkpoints.ts'
import type { Positions } from '../sink/committer.ts'
import { emptyPosition } from '../sink/sink.ts'
import type { OutFolder } from './out-folder.ts'

/** What a run goes on from: nothing, or what an earlier process left in its folder. */
export interface RunState {
  readonly store: TaskStore
  readonly recovered: Recovered | null
  /** Where the outputs end by the last commit. */
  readonly start: Positions
  /** Keys of the job that differ from the earlier process's, and take effect from now on. */
  readonly changed: readonly string[]
}

const emptyPositions: Positions = { items: emptyPosition, dead: emptyPosition }

const positionsOf = (kept: JsonValue): Positions => (kept === null ? emptyPositions : (kept as unknown as Positions))

/** @throws CONFIG_INVALID the job reads pages differently from the one that began this run */
async function checkSignature(store: DurableStore, job: Job, folder: OutFolder): Promise<readonly string[]> {
  const now = signatureOf(job)
  const before: JobSignature = store.meta.job === undefined ? now : JSON.parse(store.meta.job)
  const changed = changedKeys(before, now)
  const binding = changed.filter(key => bindingKeys.includes(key))
  if (binding.length > 0)
    throw new MillraceError(
      'CONFIG_INVALID',
      `${folder.path}: \`${binding.join('`, `')}\` of the job changed since this run began, and its items would no longer be alike: undo that, name another folder with --out, or begin anew with --restart`,
    )
  if (changed.length > 0 || store.meta.job === undefined) await store.writeMeta('job', JSON.stringify(now))
  return changed
}

/**
 * Opens what a run is kept in, and checks what an earlier process left there.
 * @throws CONFIG_INVALID another process has the folder, or the job no longer fits
 * @throws STORE_FAILED the state is damaged
 * @throws SINK_FAILED an output is not what was committed
 */
export async function openRunState(
  folder: OutFolder | null,
  job: Job,
  clock: Clock,
): Promise<RunState & AsyncDisposable> {
  if (folder === null) {
    const store = stores.memory()
    return { store, recovered: null, start: emptyPositions, changed: [], [Symbol.asyncDispose]: async () => {} }
  }
  const store = await stores.sqlite({ path: folder.state, clock, metaKeys: ['job'] })
  try {
    const changed = await checkSignature(store, job, folder)
    const checkpoints = store.recovered.checkpoints.map(positionsOf)
    await verifyFile(
      folder.items,
      checkpoints.map(({ items }) => items),
    )
    await verifyFile(
      folder.dead,
      checkpoints.map(({ dead }) => dead),
    )
    const { recovered } = store
    return {
      store,
      recovered,
      start: positionsOf(recovered.positions),
      changed,
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  } catch (thrown) {
    await store[Symbol.asyncDispose]()
    throw thrown
  }
}
