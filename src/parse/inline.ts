import { realClock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { createMill } from '../module/mill.ts'
import type { StageRules } from '../stage/stage.ts'
import type { Parser } from './parser.ts'

/**
 * The parse stage in the calling thread, under the same contract as the pool: for simulations, for tests, and for
 * those who already run in a thread of their own. It has no deadline, since nothing can interrupt it, and a user's
 * module that ends its thread ends the process.
 */
export function createInlineParser(rules: StageRules): Parser {
  const mill = createMill(rules, { cpuMs: realClock.nowMs })
  let closed = false
  let pages = 0
  let cpuMs = 0
  return {
    ready: mill.load,
    async parse(request, signal) {
      if (closed) throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      const reply = await mill.run(request)
      pages += 1
      cpuMs += reply.cpuMs
      return reply
    },
    get stats() {
      return { threads: 0, waiting: 0, pages, timeouts: 0, restarts: 0, cpuMs, queuedMs: 0 }
    },
    async [Symbol.asyncDispose]() {
      closed = true
    },
  }
}
