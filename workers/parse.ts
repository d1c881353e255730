import { AsyncLocalStorage } from 'node:async_hooks'
import { constants, setPriority } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { Fault } from '../src/core/errors.ts'
import type { ParseReply } from '../src/core/wire.ts'
import type { Heavy, LoadReply, WorkerSetup, WorkerTask } from '../src/parse/worker-task.ts'

/**
 * Parsing must not keep the main thread from its sockets where both want the same core. On Linux a priority belongs to
 * a thread; elsewhere it would be that of the whole process.
 */
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

// Loaded only now, so that even loading and compiling happens at the lower priority.
const [{ realClock, threadCpuMs }, { createMill }, { toFault }] = await Promise.all([
  import('../src/core/clock.ts'),
  import('../src/module/mill.ts'),
  import('../src/core/errors.ts'),
])

const { rules, cells, ceilingBytes } = workerData as WorkerSetup

/**
 * What a user's code throws in a timer, or in a promise that nobody awaits, belongs to the page it came from, and is
 * of no matter once that has been answered: neither the thread nor the page that runs by then pays for it.
 */
const strays = new AsyncLocalStorage<(thrown: unknown) => void>()
process.setUncaughtExceptionCaptureCallback(thrown => {
  const onStray = strays.getStore()
  // Not the user's: let it end the thread, as it would without us.
  if (onStray === undefined) throw thrown
  onStray(thrown)
})

const mill = createMill(rules, { cpuMs: realClock.nowMs, guard: (call, onStray) => strays.run(onStray, call) })
// Before the first page, whose deadline does not pay for it. What fails is told by the task that asks.
const loaded: LoadReply = await strays.run(
  () => {},
  () =>
    mill.load().then(
      () => null,
      (thrown: unknown): Fault => toFault(thrown, 'CONFIG_INVALID'),
    ),
)

/** Stamps the start, so that a page is judged by how long it ran and not by how long it queued; then grinds it. */
export default function run(task: WorkerTask): unknown {
  const { lane } = task
  cells.threadIds[lane] = threadId
  cells.startedCpuMs[lane] = threadCpuMs()
  cells.startedIdleMs[lane] = performance.eventLoopUtilization().idle
  // Last: whoever sees it sees the others.
  cells.startedAtMs[lane] = realClock.nowMs()
  if (task.kind === 'load') return loaded
  const reply = mill.run(task.request)
  if (!mill.isModule(task.request.page)) return moved(reply as ParseReply)
  return Promise.resolve(reply).then(ended => {
    mustBeLight(task.id)
    return moved(ended)
  })
}

/** Output bytes go back without a copy. */
function moved(reply: ParseReply): unknown {
  if (reply.kind !== 'parsed' || reply.output.byteLength === 0) return reply
  return move({ [transferableSymbol]: [reply.output.buffer], [valueSymbol]: reply })
}

/**
 * Memory that a user's code keeps would be held for as long as the thread lives, and arrays are outside of any limit
 * V8 knows. A thread cannot be relied on to end itself before its reply is on its way, so it is ended from outside.
 */
function mustBeLight(id: number): void {
  const { used_heap_size, external_memory } = getHeapStatistics()
  const heldBytes = used_heap_size + external_memory
  if (heldBytes <= ceilingBytes) return
  parentPort?.postMessage({ kind: 'heavy', id, heldBytes } satisfies Heavy)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
