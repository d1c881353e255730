import type { Clock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { stores } from '../frontier/stores/index.ts'
import type { DurableStore } from '../frontier/stores/sqlite.ts'
import type { TaskStore } from '../frontier/stores/store.ts'
import type { Recovered } from '../frontier/stores/task-rows.ts'
import type { Job } from '../job/job.ts'
import { changedKeys, type JobSignature, signatureOf, whatChanges, whyNotGoOn } from '../job/job-signature.ts'
import type { Positions } from '../sink/committer.ts'
import type { Delivered } from '../sink/webhook.ts'
import type { OutFolder } from './out-folder.ts'
import { type Delivery, type Outputs, positionOf, positionsOf } from './outputs.ts'
import { finishSwap, swapKey } from './swap-dead.ts'

/** What a run goes on from: nothing, or what an earlier process left in its folder. */
export interface RunState {
  readonly store: TaskStore
  readonly recovered: Recovered | null
  /** An earlier process began this run, however far it came. */
  readonly isBegun: boolean
  /** Where the outputs end by the last commit. */
  readonly start: Positions
  /** How far the webhook has come, and how that is kept. */
  readonly delivery: Delivery
  /** What of the job differs from the earlier process's, and what that means from now on, in sentences. */
  readonly changed: readonly string[]
}

const deliveryKey = 'webhook'
const nothingDelivered: Delivered = { bytes: 0, lines: 0 }

function deliveryIn(store: DurableStore): Delivery {
  const kept = store.meta[deliveryKey]
  return {
    start: kept === undefined ? nothingDelivered : JSON.parse(kept),
    keep: delivered => store.writeMeta(deliveryKey, JSON.stringify(delivered)),
  }
}

/** @throws CONFIG_INVALID the job reads pages differently from the one that began this run */
async function checkSignature(store: DurableStore, job: Job, folder: OutFolder): Promise<readonly string[]> {
  const now = signatureOf(job)
  const before: JobSignature = store.meta.job === undefined ? now : JSON.parse(store.meta.job)
  const changed = changedKeys(before, now)
  const refusals = whyNotGoOn(changed)
  if (refusals.length > 0)
    throw new MillraceError(
      'CONFIG_INVALID',
      `${folder.path}: the job changed since this run began. ${refusals.join('. ')}. Undo that, name another folder with --out, or begin anew with --restart`,
    )
  if (changed.length > 0 || store.meta.job === undefined) await store.writeMeta('job', JSON.stringify(now))
  return whatChanges(changed)
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
  outputs: Outputs,
  clock: Clock,
): Promise<RunState & AsyncDisposable> {
  if (folder === null) {
    const store = stores.memory()
    const delivery: Delivery = { start: nothingDelivered, keep: async () => {} }
    return {
      store,
      recovered: null,
      isBegun: false,
      start: {},
      delivery,
      changed: [],
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const store = await stores.sqlite({
    path: folder.state,
    clock,
    metaKeys: ['job', deliveryKey, swapKey],
    itemColumns: job.output.format === 'sqlite' ? job.output.columns : null,
  })
  try {
    const isBegun = store.meta.job !== undefined
    const changed = await checkSignature(store, job, folder)
    const checkpoints = store.recovered.checkpoints.map(positionsOf)
    await finishSwap(folder, store)
    for (const [name, output] of Object.entries(outputs))
      await output.verify(checkpoints.map(positions => positionOf(positions, name)))
    const { recovered } = store
    return {
      store,
      recovered,
      isBegun,
      start: positionsOf(recovered.positions),
      delivery: deliveryIn(store),
      changed,
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  } catch (thrown) {
    await store[Symbol.asyncDispose]()
    throw thrown
  }
}
