import { threadCpuMs } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { createStage, type StageRules } from '../stage/stage.ts'
import type { Parser } from './parser.ts'

/**
 * The parse stage in the calling thread, under the same contract as the pool: for simulations, for tests, and for
 * those who already run in a thread of their own. It has no deadline, since nothing can interrupt it.
 */
export function createInlineParser(rules: StageRules): Parser {
  const stage = createStage(rules, threadCpuMs)
  let closed = false
  let pages = 0
  let cpuMs = 0
  return {
    async parse(request, signal) {
      if (closed) throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      const reply = stage.run(request)
      pages += 1
      cpuMs += reply.cpuMs
      return reply
    },
    get stats() {
      return { threads: 0, waiting: 0, pages, timeouts: 0, restarts: 0, cpuMs }
    },
    async [Symbol.asyncDispose]() {
      closed = true
    },
  }
}
