import { AsyncLocalStorage } from 'node:async_hooks'
import { constants, setPriority } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { Fault } from '../src/core/errors.ts'
import type { ParseReply } from '../src/core/wire.ts'
import type { Room } from '../src/parse/room.ts'
import type { Answer, Heavy, Unloadable, WorkerSetup, WorkerTask } from '../src/parse/worker-task.ts'

/**
 * Parsing must not keep the main thread from its sockets where both want the same core. On Linux a priority belongs to
 * a thread; elsewhere it would be that of the whole process.
 */
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

// Loaded only now, so that even loading and compiling happens at the lower priority.
const [{ realClock, threadCpuMs }, { createMill }, { MillraceError, toFault }, { packLinks }, { received }] =
  await Promise.all([
    import('../src/core/clock.ts'),
    import('../src/module/mill.ts'),
    import('../src/core/errors.ts'),
    import('../src/stage/link-packs.ts'),
    import('../src/parse/sent-request.ts'),
  ])
const [{ guardArrays }, { createRoom }, { createSharedBytes }, { collectGarbage }] = await Promise.all([
  import('../src/module/array-guard.ts'),
  import('../src/parse/room.ts'),
  import('../src/parse/shared-bytes.ts'),
  import('../src/parse/collect-garbage.ts'),
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

/**
 * A user's code that ends its thread ends its page, and to the page that is the same; but a new thread costs as much as
 * dozens of pages. Whoever knows another way to end it can, and that is noticed outside.
 */
const exit = 'exit'
Object.defineProperty(process, exit, {
  value(code: unknown = '') {
    throw new MillraceError('PARSE_CRASHED', `called process.${exit}(${code}), which would end its thread`)
  },
})

const sharedBytes = createSharedBytes()

/** V8's heap and what is outside of it. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory + sharedBytes.held
}

/**
 * An array beyond the ceiling, refused where it is made, costs a line of the user's code an error; once it is there it costs
 * the thread, or the process. Not what our own code makes, whose sizes have limits of their own.
 */
const newRoom = (): Room => createRoom({ ceilingBytes, heldBytes, collect: collectGarbage })
let room = newRoom()
const isUsersCode = (): boolean => strays.getStore() !== undefined
if (rules.pages.some(({ module }) => module !== undefined))
  guardArrays({
    ask: bytes => {
      if (isUsersCode()) room.ask(bytes)
    },
    madeShared: sharedBytes.hold,
  })

const mill = createMill(rules, { cpuMs: realClock.nowMs, guard: (call, onStray) => strays.run(onStray, call) })
let loading: Promise<Fault | null> | null = null

/**
 * All modules, once; what fails is told by every task. In the first task of the thread, under a limit of its own: before
 * any task nobody could say which module keeps the thread, and the deadline of a page does not pay for it.
 */
function load(lane: number): Promise<Fault | null> {
  loading ??= strays.run(
    () => {},
    async () => {
      try {
        await mill.load(nth => beginModule(lane, nth))
        return null
      } catch (thrown) {
        return toFault(thrown, 'CONFIG_INVALID')
      } finally {
        endModules(lane)
        // What modules hold as soon as they are loaded, those of a new thread hold too.
        room = newRoom()
      }
    },
  )
  return loading
}

/** Grinds the pages of a task, one after the other: whatever a page leaves running is ended with its thread. */
export default async function run(task: WorkerTask): Promise<unknown> {
  cells.threadIds[task.lane] = threadId
  const fault = await load(task.lane)
  if (fault !== null) return { kind: 'unloadable', fault } satisfies Unloadable
  if (task.kind === 'load') return null
  const { id, lane, requests } = task
  const last = requests.length - 1
  for (const [nth, sent] of requests.entries()) {
    const startedAtMs = begin(lane, nth)
    const request = received(sent)
    const isModule = mill.isModule(request.page)
    const run = mill.run(request)
    const reply = isModule ? await run : (run as ParseReply)
    if (isModule) await mustBeLight(id)
    else giveBack(request.body)
    const { value, buffers } = packed(reply)
    if (nth === last)
      return buffers.length === 0 ? value : move({ [transferableSymbol]: buffers, [valueSymbol]: value })
    parentPort?.postMessage({ kind: 'answer', id, nth, startedAtMs, reply: value } satisfies Answer, buffers)
  }
}

function begin(lane: number, nth: number): number {
  cells.nths[lane] = nth
  return stamp(lane)
}

function beginModule(lane: number, nth: number): void {
  cells.modules[lane] = nth + 1
  stamp(lane)
}

/** In this order: whoever sees that none is loaded must not take the start of the last one for that of a page. */
function endModules(lane: number): void {
  cells.startedAtMs[lane] = 0
  cells.modules[lane] = 0
}

/** The start, so that a page is judged by how long it ran and not by how long it queued. */
function stamp(lane: number): number {
  cells.startedCpuMs[lane] = threadCpuMs()
  cells.startedIdleMs[lane] = performance.eventLoopUtilization().idle
  const nowMs = realClock.nowMs()
  // Last: whoever sees it sees the others.
  cells.startedAtMs[lane] = nowMs
  return nowMs
}

/**
 * The memory of a body that was read, at once: garbage collection sees little of it and comes late. Not where a user's code
 * has seen it, which may still look at it.
 */
const giveBack = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0)

/** Output bytes, records of an archive, and links where there are very many, go back without a copy. */
function packed(reply: ParseReply): { readonly value: ParseReply; readonly buffers: ArrayBuffer[] } {
  const records = reply.record === undefined ? [] : [reply.record]
  const value = reply.links === undefined ? reply : { ...reply, ...packLinks(reply.links) }
  const packs = (value.moreLinks ?? []).map(({ bytes }) => bytes)
  const outputs = value.kind === 'parsed' ? [value.output, ...packs] : packs
  const buffers = [...records, ...outputs].filter(({ byteLength }) => byteLength > 0).map(({ buffer }) => buffer)
  return { value, buffers }
}

/**
 * Memory that a user's code keeps would be held for as long as the thread lives, and arrays are outside of any limit
 * V8 knows; what comes together in small pieces, or page by page, is refused by nobody. A thread cannot be relied on to end
 * itself before its reply is on its way, so it is ended from outside. What is garbage is no reason to.
 */
async function mustBeLight(id: number): Promise<void> {
  if (heldBytes() > ceilingBytes) {
    collectGarbage('all')
    await new Promise(setImmediate)
  }
  const bytes = heldBytes()
  if (bytes <= ceilingBytes) {
    room.begin(bytes)
    return
  }
  parentPort?.postMessage({ kind: 'heavy', id, heldBytes: bytes } satisfies Heavy)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
