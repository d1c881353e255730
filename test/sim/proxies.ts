import { faultOf } from '../../src/core/errors.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { ProxyFailure, Route } from '../../src/core/route.ts'
import type { ClosableFetcher, FetchRequest } from '../../src/fetch/fetcher.ts'
import type { SimEnv } from './random.ts'

/** What a simulated proxy does instead of passing a request on. */
export type ProxyTrouble =
  | { readonly kind: 'fault'; readonly failure: ProxyFailure; readonly afterMs: number; readonly status?: number }
  /** The host, seen from there, answers this. */
  | { readonly kind: 'status'; readonly status: 403 | 429 }
  | { readonly kind: 'page'; readonly body: string }
  | { readonly kind: 'silence'; readonly afterMs: number }

/** How the proxies of a simulation behave: one rule for all, by route, URL and time. Null: it passes the request on. */
export type ProxyModel = (route: Route, url: URL, nowMs: number) => ProxyTrouble | null

/** One attempt as the proxies saw it. */
export interface ProxyAttempt {
  readonly route: Route
  readonly url: string
  readonly atMs: number
  readonly endedAtMs: number | null
  readonly isFault: boolean
}

export interface SimProxies extends ClosableFetcher {
  readonly log: readonly ProxyAttempt[]
}

export interface SimProxiesOptions {
  readonly env: SimEnv
  readonly web: ClosableFetcher
  readonly model: ProxyModel
  /** Until a proxy that works has the host at its other end. */
  readonly connectMs?: (route: Route) => number
}

const never = new AbortController().signal

/** A web that is reached through proxies. What has no route goes directly. */
export function createSimProxies({ env, web, model, connectMs = () => 20 }: SimProxiesOptions): SimProxies {
  const { clock } = env
  const log: { -readonly [K in keyof ProxyAttempt]: ProxyAttempt[K] }[] = []

  async function pass(request: FetchRequest, route: Route, signal: AbortSignal): Promise<Outcome> {
    const { task } = request
    const url = new URL(task.url)
    const trouble = model(route, url, clock.nowMs())
    const spentMs = trouble?.kind === 'fault' || trouble?.kind === 'silence' ? trouble.afterMs : connectMs(route)
    await clock.sleep(spentMs, never)
    if (trouble === null) {
      const outcome = await web.fetch(request, signal)
      return outcome.kind === 'page'
        ? { ...outcome, page: { ...outcome.page, timing: { ...outcome.page.timing, connectMs: spentMs } } }
        : outcome
    }
    const timing = { connectMs: spentMs, firstByteMs: 30, totalMs: spentMs + 30 }
    const failed = { kind: 'failed', status: null, timing: null, retryAfterMs: null } as const
    switch (trouble.kind) {
      case 'fault': {
        const fault = faultOf('PROXY_FAILED', `${task.url}: ${route.label}: ${trouble.failure}`)
        return { ...failed, fault, status: trouble.status ?? null, proxyFailure: trouble.failure }
      }
      case 'silence':
        return { ...failed, fault: faultOf('RESPONSE_TIMEOUT', `${task.url}: silent`) }
      case 'status':
        return trouble.status === 403
          ? { kind: 'gone', status: 403, timing }
          : { kind: 'throttled', status: 429, retryAfterMs: null, timing }
      case 'page': {
        const body = new TextEncoder().encode(trouble.body)
        const headers = { 'content-type': 'text/html; charset=utf-8' }
        return { kind: 'page', page: { task, status: 200, headers, body, timing, reach: task.reach } }
      }
      default:
        return trouble satisfies never
    }
  }

  return {
    log,
    async fetch(request, signal) {
      const { route, task } = request
      if (route === null) return web.fetch(request, signal)
      const entry: (typeof log)[number] = { route, url: task.url, atMs: clock.nowMs(), endedAtMs: null, isFault: false }
      log.push(entry)
      const outcome = await pass(request, route, signal)
      entry.endedAtMs = clock.nowMs()
      entry.isFault = outcome.kind === 'failed' && outcome.fault.code === 'PROXY_FAILED'
      return outcome
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
