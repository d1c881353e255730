import type { Clock } from '../core/clock.ts'
import type { Task } from '../core/task.ts'
import { robotsPage } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { AnswerStore } from './answer-store.ts'
import { createAtHand } from './at-hand.ts'
import type { Answer, Asking, HttpCache, Recalled, Wanted } from './cache.ts'
import { freshUntilMs, type Span } from './freshness.ts'
import { type CacheMode, isWorthKeeping, mayBeKept } from './keeping.ts'
import { keyOf, selectionOf } from './selection.ts'
import type { CacheSetup, Found } from './store-messages.ts'
import { startStoreThread } from './store-thread.ts'
import { conditionsOf, updatedHeaders } from './validators.ts'

export interface CacheOptions {
  readonly mode: CacheMode
  /** In `reuse`: older answers are asked about. Infinity: none is too old. */
  readonly maxAgeMs: number
  readonly clock: Clock
  /** Whether a cookie jar takes what answers to this task set. */
  readonly keepsCookies: (task: Task) => boolean
  /** Told what is wrong with the store. */
  readonly tell: (reason: string) => void
}

/** A header of the job that says what may be used: its word is above the cache's. */
const ownRule = new Set(['cache-control', 'pragma', 'range'])

function isRuled(headers: readonly string[]): boolean {
  return headers.some((name, at) => at % 2 === 0 && (ownRule.has(name.toLowerCase()) || /^if-/i.test(name)))
}

/** A robots file is asked for anew in each run: RFC 9309 wants it not older than a day, whatever its headers say. */
const isPassedBy = ({ task, headers }: Wanted): boolean => task.page === robotsPage || isRuled(headers)

const nothingStored: Asking = { conditions: [], bodyBytes: 0, learn: () => null }

/**
 * A cache in a folder, which several processes may share.
 * @throws CONFIG_INVALID the folder cannot be made or written
 */
export const openCache = async (setup: CacheSetup, options: CacheOptions): Promise<HttpCache> =>
  createCache(await startStoreThread(setup, options.tell), options)

/** A cache on a store, which is its own from now on. */
export function createCache(store: AnswerStore, options: CacheOptions): HttpCache {
  const { mode, maxAgeMs, clock, keepsCookies } = options
  const isReuse = mode === 'reuse'
  const atHand = createAtHand()
  const counts = { hits: 0, revalidated: 0, stored: 0 }
  const wallNowMs = (): number => Date.parse(clock.wallIso())

  const usableUntilMs = (cameAtMs: number, untilMs: number): number => (isReuse ? cameAtMs + maxAgeMs : untilMs)

  const { keys, cameAtMs, freshUntilMs: untils } = store.contents
  for (const [at, key] of keys.entries()) {
    const untilMs = usableUntilMs(cameAtMs[at] ?? 0, untils[at] ?? 0)
    if (untilMs > atHand.untilMs(key)) atHand.set(key, untilMs)
  }

  /** What may be used at all: another mode may have stored it. */
  async function find(key: string, headers: readonly string[]): Promise<Found | null> {
    const found = await store.find({ key, headers, isLoose: isReuse, nowMs: wallNowMs() })
    return found !== null && (isReuse || mayBeKept(found)) ? found : null
  }

  const recalledOf = ({ status, headers, setCookies, body, from, cameAtMs }: Found): Recalled => ({
    status,
    headers,
    setCookies,
    body,
    from,
    cameAt: new Date(cameAtMs).toISOString(),
  })

  function keep(key: string, { task, headers }: Wanted, answer: Answer, span: Span): void {
    const isForJar = keepsCookies(task)
    if (!isWorthKeeping(mode, answer, isForJar)) return
    const untilMs = mayBeKept(answer) ? freshUntilMs(answer.headers, span) : 0
    const { status, from, body } = answer
    const { 'set-cookie': _, ...kept } = answer.headers
    const isKept = store.keep({
      key,
      selection: selectionOf(answer.headers.vary, headers),
      url: withoutCredentials(task.url),
      status,
      from,
      headers: kept,
      setCookies: isForJar ? answer.setCookies : [],
      body: body.slice(),
      cameAtMs: span.cameAtMs,
      freshUntilMs: untilMs,
    })
    if (!isKept) return
    counts.stored += 1
    atHand.set(key, usableUntilMs(span.cameAtMs, untilMs))
  }

  function confirm(key: string, stored: Found, { headers: confirming, from }: Answer, span: Span): Recalled {
    const headers = updatedHeaders(stored.headers, confirming)
    const confirmed = {
      id: stored.id,
      headers,
      cameAtMs: span.cameAtMs,
      freshUntilMs: mayBeKept({ ...stored, headers }) ? freshUntilMs(headers, span) : 0,
    }
    store.confirm(confirmed)
    atHand.set(key, usableUntilMs(confirmed.cameAtMs, confirmed.freshUntilMs))
    counts.revalidated += 1
    return recalledOf({ ...stored, ...confirmed, from })
  }

  return {
    counts,
    holds: wanted => atHand.size > 0 && !isPassedBy(wanted) && atHand.untilMs(keyOf(wanted)) > wallNowMs(),
    async recall(wanted, isAllowed) {
      const key = keyOf(wanted)
      const found = await find(key, wanted.headers)
      const isUsable = found !== null && usableUntilMs(found.cameAtMs, found.freshUntilMs) > wallNowMs()
      const recalled = isUsable ? recalledOf(found) : null
      if (recalled === null || !isAllowed(recalled)) {
        atHand.set(key, 0)
        return null
      }
      counts.hits += 1
      return recalled
    },
    async ask(wanted) {
      if (isPassedBy(wanted)) return nothingStored
      const key = keyOf(wanted)
      const stored = await find(key, wanted.headers)
      const conditions = stored === null ? [] : conditionsOf(stored.headers)
      const askedAtMs = wallNowMs()
      return {
        conditions,
        bodyBytes: stored === null || conditions.length === 0 ? 0 : stored.body.length,
        learn(answer) {
          const span = { askedAtMs, cameAtMs: wallNowMs() }
          if (answer.status === 304 && stored !== null && conditions.length > 0)
            return confirm(key, stored, answer, span)
          keep(key, wanted, answer, span)
          return null
        },
      }
    },
    forget(wanted) {
      const key = keyOf(wanted)
      atHand.set(key, 0)
      store.drop(key)
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
