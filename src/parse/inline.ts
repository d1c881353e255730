import { realClock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Mill } from '../module/mill.ts'
import type { StageRules } from '../stage/stage.ts'
import type { Parser } from './parser.ts'

/**
 * The parse stage in the calling thread, under the same contract as the pool: for simulations, for tests, and for
 * those who already run in a thread of their own. It has no deadline, since nothing can interrupt it, and a user's
 * module that ends its thread ends the process.
 */
export function createInlineParser(rules: StageRules): Parser {
  let milling: Promise<Mill> | null = null
  // The parse stage is most of the code there is: where threads parse, this one never loads it.
  const mill = (): Promise<Mill> =>
    (milling ??= import('../module/mill.ts').then(({ createMill }) => createMill(rules, { cpuMs: realClock.nowMs })))
  let closed = false
  let pages = 0
  let cpuMs = 0
  return {
    async ready() {
      await (await mill()).load()
    },
    async parse(request, signal) {
      if (closed) throw new MillraceError('ABORTED', `the parser was closed before ${request.finalUrl} was parsed`)
      signal.throwIfAborted()
      const reply = await (await mill()).run(request)
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
