import type { Clock } from '../../src/core/clock.ts'
import type { ParseReply, ParseRequest } from '../../src/core/wire.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { drawLatencyMs, type LatencyLaw } from './latency.ts'

export interface SimParserOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly threads: number
  /** How long a thread is busy with a page. */
  readonly law: LatencyLaw | ((request: ParseRequest) => LatencyLaw)
  /** The item that each page gives; left out: none. */
  readonly line?: Uint8Array<ArrayBuffer>
}

const never = new AbortController().signal

/** Threads that parse nothing and take their time over it, first come, first served. */
export function createSimParser({ clock, random, threads, law, line }: SimParserOptions): Parser {
  const waiting: (() => void)[] = []
  let free = threads
  const counts = { waiting: 0, pages: 0, timeouts: 0, restarts: 0, cpuMs: 0, queuedMs: 0 }

  function enter(): Promise<void> {
    if (free === 0) return new Promise(resolve => waiting.push(resolve))
    free -= 1
    return Promise.resolve()
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  const replyOf = ({ body }: ParseRequest, cpuMs: number, queuedMs: number): ParseReply => ({
    kind: 'parsed',
    output: line ?? new Uint8Array(0),
    items: [],
    itemCount: line === undefined ? 0 : 1,
    links: [],
    charset: 'utf-8',
    engine: 'stream',
    decodedBytes: body.byteLength,
    cpuMs,
    queuedMs,
  })

  return {
    ready: async () => {},
    async parse(request) {
      const enteredMs = clock.nowMs()
      counts.waiting += 1
      await enter()
      const queuedMs = clock.nowMs() - enteredMs
      const cpuMs = drawLatencyMs(typeof law === 'function' ? law(request) : law, random)
      await clock.sleep(cpuMs, never)
      leave()
      counts.waiting -= 1
      counts.pages += 1
      counts.cpuMs += cpuMs
      counts.queuedMs += queuedMs
      return replyOf(request, cpuMs, queuedMs)
    },
    get stats() {
      return { threads, ...counts }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
