import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { realClock, threadCpuMs } from '../src/core/clock.ts'
import type { ParseReply } from '../src/core/wire.ts'
import type { WorkerSetup, WorkerTask } from '../src/parse/worker-task.ts'
import { createStage } from '../src/stage/stage.ts'

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
