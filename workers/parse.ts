import { constants, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { ParseReply } from '../src/core/wire.ts'
import type { WorkerSetup, WorkerTask } from '../src/parse/worker-task.ts'

/**
 * Parsing must not keep the main thread from its sockets where both want the same core. On Linux a priority belongs to
 * a thread; elsewhere it would be that of the whole process.
 */
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

// Loaded only now, so that even loading and compiling happens at the lower priority.
const [{ realClock, threadCpuMs }, { createStage }] = await Promise.all([
  import('../src/core/clock.ts'),
  import('../src/stage/stage.ts'),
])

const { rules, startedAtMs } = workerData as WorkerSetup
const stage = createStage(rules, threadCpuMs)

/** Stamps the start, so that a page is judged by how long it ran and not by how long it queued; then grinds it. */
export default function parse({ request, lane }: WorkerTask): unknown {
  startedAtMs[lane] = realClock.nowMs()
  return moved(stage.run(request))
}

/** Output bytes go back without a copy. */
function moved(reply: ParseReply): unknown {
  if (reply.kind !== 'parsed' || reply.output.byteLength === 0) return reply
  return move({ [transferableSymbol]: [reply.output.buffer], [valueSymbol]: reply })
}
