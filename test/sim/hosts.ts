import { createAbortHub } from '../../src/core/abort-hub.ts'
import { type ErrorCode, faultOf } from '../../src/core/errors.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { Timing } from '../../src/core/page.ts'
import type { Task } from '../../src/core/task.ts'
import { type HostKey, hostKey } from '../../src/core/url.ts'
import type { ClosableFetcher, FetchRequest } from '../../src/fetch/fetcher.ts'
import type { HostModel } from './host-model.ts'
import { createRandom, type SimEnv } from './random.ts'
import { type Answer, createServer, type SimServer } from './server.ts'

export { type HostModel, htmlOf, type Outage, type SimPage } from './host-model.ts'
export type { LatencyLaw } from './latency.ts'

/** One request as the host saw it. */
export interface SimRequest {
  readonly host: HostKey
  readonly url: string
  readonly atMs: number
  /** On this host, this one included. */
  readonly inFlight: number
  /** Status, error code, or null while it is under way. */
  readonly answer: number | ErrorCode | null
  readonly endedAtMs: number | null
}

/** A web over simulated time. The same seed, models and requests give the same log. */
export interface SimWeb extends ClosableFetcher {
  /** In order of departure. */
  readonly log: readonly SimRequest[]
  readonly inFlight: number
  readonly peakInFlight: number
  /** 0 for a host that was never asked. */
  peakOf(host: string): number
  requestsOf(host: string): readonly SimRequest[]
}

export interface SimWebOptions {
  readonly env: SimEnv
  readonly seed: number
  /** By host key, or a function for many of a kind; a host without a model has no address. */
  readonly hosts: Readonly<Record<string, HostModel>> | ((host: HostKey) => HostModel | null)
  /** The client's own deadlines, as `timeouts` of a job. */
  readonly timeouts?: { readonly firstByteMs: number; readonly totalMs: number }
}

const defaultTimeouts = { firstByteMs: 15_000, totalMs: 60_000 }

interface HostState {
  readonly model: HostModel
  readonly server: SimServer
  inFlight: number
  peakInFlight: number
}

/** FNV-1a (Fowler, Noll, Vo): a host's own chance, whatever the other hosts draw meanwhile. */
const seedOf = (seed: number, host: string): number =>
  [...host].reduce((bits, letter) => Math.imul(bits ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5 ^ seed)

export function createSimWeb({ env, seed, hosts, timeouts = defaultTimeouts }: SimWebOptions): SimWeb {
  const { clock } = env
  const states = new Map<HostKey, HostState>()
  // All requests of a crawl have one signal, and a signal looks through all of its listeners for each that comes or goes.
  const hub = createAbortHub()
  const log: { -readonly [K in keyof SimRequest]: SimRequest[K] }[] = []
  let inFlight = 0
  let peakInFlight = 0

  function stateOf(host: HostKey): HostState {
    const known = states.get(host)
    if (known !== undefined) return known
    const given = typeof hosts === 'function' ? hosts(host) : hosts[host]
    const model = given ?? { failures: { DNS_FAILED: 1 } }
    const server = createServer(model, clock, createRandom(seedOf(seed, host)))
    const state = { model, server, inFlight: 0, peakInFlight: 0 }
    states.set(host, state)
    return state
  }

  function depart(state: HostState, url: URL): (outcome: Outcome) => Outcome {
    state.inFlight += 1
    inFlight += 1
    state.peakInFlight = Math.max(state.peakInFlight, state.inFlight)
    peakInFlight = Math.max(peakInFlight, inFlight)
    const entry: (typeof log)[number] = {
      host: hostKey(url),
      url: url.href,
      atMs: clock.nowMs(),
      inFlight: state.inFlight,
      answer: null,
      endedAtMs: null,
    }
    log.push(entry)
    return outcome => {
      state.inFlight -= 1
      inFlight -= 1
      entry.answer = answerOf(outcome)
      entry.endedAtMs = clock.nowMs()
      return outcome
    }
  }

  function fetch({ task, grow, expect, sent }: FetchRequest, signal: AbortSignal): Promise<Outcome> {
    const url = new URL(task.url)
    const state = stateOf(hostKey(url))
    const arrive = depart(state, url)
    const { connectMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = state.model
    const startedMs = clock.nowMs()
    const timers = new DisposableStack()

    return new Promise(resolve => {
      function end(outcome: Outcome): void {
        if (timers.disposed) return
        timers.dispose()
        resolve(arrive(outcome))
      }
      const fail = (code: ErrorCode): void => end(failedOf(code, url, null))
      const stop = (): void => fail('ABORTED')

      if (signal.aborted) return stop()
      hub.add(signal, stop)
      timers.defer(() => hub.remove(signal, stop))
      timers.use(clock.after(timeouts.totalMs, () => fail('RESPONSE_TIMEOUT')))
      afterwards(connectMs, request)

      /** What takes no time needs no timer: most of a simulation's events would be such. */
      function afterwards(durationMs: number, run: () => void): void {
        if (durationMs > 0) timers.use(clock.after(durationMs, run))
        else run()
      }

      function request(): void {
        sent?.()
        const silence = timers.use(clock.after(timeouts.firstByteMs, () => fail('RESPONSE_TIMEOUT')))
        timers.use(
          state.server.ask(url, answer => {
            silence[Symbol.dispose]()
            const firstByteMs = clock.nowMs() - startedMs - connectMs
            const bytes = new TextEncoder().encode(answer.kind === 'page' ? answer.page.body : '')
            if (answer.kind === 'page' && answer.page.status < 300) expect?.(bytes.length)
            afterwards((bytes.length / bytesPerSecond) * 1000, () => receive(answer, bytes, firstByteMs))
          }),
        )
      }

      function receive(answer: Answer, body: Uint8Array<ArrayBuffer>, firstByteMs: number): void {
        const timing = { connectMs, firstByteMs, totalMs: clock.nowMs() - startedMs }
        if (answer.kind === 'page') grow(body.length)
        end(outcomeOf(task, url, answer, body, timing))
      }
    })
  }

  return {
    fetch,
    log,
    get inFlight() {
      return inFlight
    },
    get peakInFlight() {
      return peakInFlight
    },
    peakOf: host => states.get(host as HostKey)?.peakInFlight ?? 0,
    requestsOf: host => log.filter(entry => entry.host === host),
    [Symbol.asyncDispose]: async () => {},
  }
}

const failedOf = (
  code: ErrorCode,
  url: URL,
  timing: Timing | null,
  status: number | null = null,
  retryAfterMs: number | null = null,
): Outcome => ({
  kind: 'failed',
  fault: faultOf(code, `${code} of ${url.href} in the simulation`),
  status,
  timing,
  retryAfterMs,
})

function outcomeOf(task: Task, url: URL, answer: Answer, body: Uint8Array<ArrayBuffer>, timing: Timing): Outcome {
  switch (answer.kind) {
    case 'moved': {
      const target = URL.parse(answer.location, url.href)
      return target === null
        ? failedOf('REDIRECT_INVALID', url, timing)
        : { kind: 'moved', status: 302, url: target.href, reach: task.reach, timing }
    }
    case 'throttled':
      return { ...answer, timing }
    case 'failed':
      return failedOf(answer.code, url, timing)
    case 'page':
      return pageOutcome(task, url, answer, body, timing)
    default:
      return answer satisfies never
  }
}

function pageOutcome(
  task: Task,
  url: URL,
  { page, retryAfterMs = null }: Extract<Answer, { kind: 'page' }>,
  body: Uint8Array<ArrayBuffer>,
  timing: Timing,
): Outcome {
  const { status, contentType } = page
  if (status >= 500) return failedOf('SERVER_ERROR', url, timing, status, retryAfterMs)
  if (status >= 400) return { kind: 'gone', status, timing }
  const headers = { 'content-type': contentType, 'content-length': String(body.length) }
  return { kind: 'page', page: { task, status, headers, body, timing, reach: task.reach } }
}

function answerOf(outcome: Outcome): number | ErrorCode {
  if (outcome.kind === 'page') return outcome.page.status
  return outcome.kind === 'failed' ? (outcome.status ?? outcome.fault.code) : outcome.status
}
