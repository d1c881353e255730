import type { AbortHub } from '../core/abort-hub.ts'
import { messageOf } from '../core/errors.ts'
import type { ParseReply } from '../core/wire.ts'
import { createEnder, type Ender } from './ender.ts'
import type { Lane } from './lane.ts'
import type { Ended } from './watch.ts'
import { type Answer, isUnloadable, type Unloadable } from './worker-task.ts'

/** The task ended before its result was there; those of its pages that have no reply can be tried again. */
export type CutShort =
  /** Page `nth` is to blame; `startedAtMs` is 0 where not even the first of the task had begun. */
  | ({ readonly kind: 'ended'; readonly nth: number; readonly startedAtMs: number } & Ended)
  /** The page that ran was not wanted any more. */
  | { readonly kind: 'stopped' }

/** Module `nth` ended its thread as it was loaded. */
export type EndedLoading = { readonly kind: 'ended-loading'; readonly nth: number } & Ended

export type TaskEnd<T> =
  | { readonly kind: 'finished'; readonly result: T; readonly startedAtMs: number }
  | CutShort
  | EndedLoading
  | Unloadable

export type OnReply = (nth: number, reply: ParseReply, startedAtMs: number) => void

export interface Outing {
  readonly transferList: ArrayBuffer[]
  /** One for each page of the task: ends it, and its thread where that has begun with it. */
  readonly signals: readonly AbortSignal[]
  /** Hears the replies of all pages but the last, whose is the result. */
  readonly onReply: OnReply
}

/** A task that is with a thread, from hand-over to its first end. */
export interface Flight extends Disposable {
  readonly signal: Ender['signal']
  hear(answer: Answer): void
  end(why: Ended): void
  /** The pool is closed. */
  stop(): void
  /** @param ask hands the task over; fails where the thread ends before it has answered */
  landing<T>(ask: () => Promise<T>): Promise<TaskEnd<T>>
}

/** @param endSafely ends the thread as soon as it may be ended */
export function createFlight(
  lane: Lane,
  { signals, onReply }: Omit<Outing, 'transferList'>,
  hub: AbortHub,
  endSafely: (end: () => void) => void,
): Flight {
  const ender = createEnder()
  const early = Promise.withResolvers<void>()
  const stops = new DisposableStack()
  let cut: CutShort | EndedLoading | null = null
  let missing = Math.max(0, signals.length - 1)

  function stop(why: typeof cut): void {
    cut ??= why
    early.resolve()
    // A task whose result comes meanwhile has its result.
    endSafely(ender.end)
  }
  function endedBy(why: Ended): CutShort | EndedLoading {
    const { module, nth, startedAtMs } = lane
    return module === null
      ? { kind: 'ended', nth, startedAtMs, ...why }
      : { kind: 'ended-loading', nth: module, ...why }
  }

  for (const [nth, signal] of signals.entries()) {
    const stopPage = (): void => {
      if (lane.nth === nth) stop({ kind: 'stopped' })
    }
    hub.add(signal, stopPage)
    stops.defer(() => hub.remove(signal, stopPage))
  }

  return {
    signal: ender.signal,
    hear({ nth, reply, startedAtMs }) {
      missing -= 1
      onReply(nth, reply, startedAtMs)
      if (missing === 0) early.resolve()
    },
    end: why => stop(endedBy(why)),
    stop: () => stop(null),
    async landing(ask) {
      try {
        const result = await ask()
        if (isUnloadable(result)) return result
        // Replies of the pages before the last come by another way, which may be the longer one.
        if (missing > 0) await early.promise
        if (missing === 0) return { kind: 'finished', result, startedAtMs: lane.startedAtMs }
        throw new Error('its replies were lost')
      } catch (thrown) {
        return cut ?? endedBy({ code: 'PARSE_CRASHED', what: `ended its thread: ${messageOf(thrown)}` })
      }
    },
    [Symbol.dispose]: () => stops.dispose(),
  }
}
