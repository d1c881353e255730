import { realClock } from '../core/clock.ts'
import { createWakeup } from '../core/wakeup.ts'

/** Pages between those who bring them and those who take their results: a bounded number, several worked on at once. */
export interface PageWindow<Page, Result> {
  /** Resolves when there is room for the next page. Rejects with what the window was closed with. */
  put(page: Page): Promise<void>
  /** No further page comes. */
  end(): void
  /** The next result; null after the last one. Rejects with what a page's work threw, or with the reason of `close`. */
  take(): Promise<Result | null>
  /** Whoever waits here is told `reason`; what is being worked on is aborted. */
  close(reason: unknown): void
}

export interface PageWindowOptions<Page, Result> {
  readonly work: (page: Page, signal: AbortSignal) => Promise<Result>
  /** Pages that may be in here at once, from `put` to `take`. */
  readonly size: number
  /** Whether results come in the order of their pages, or as they are there. */
  readonly isOrdered: boolean
}

type Settled<Result> = { readonly result: Result } | { readonly thrown: unknown }

/** One that brings and one that takes at a time, as it is with streams. */
export function createPageWindow<Page, Result>(options: PageWindowOptions<Page, Result>): PageWindow<Page, Result> {
  const { work, size, isOrdered } = options
  const closing = new AbortController()
  const { signal } = closing
  const room = createWakeup(realClock)
  const ready = createWakeup(realClock)
  /** In the order in which they are given out. */
  const line: { settled: Settled<Result> | null }[] = []
  let inHand = 0
  let isEnded = false

  async function begin(page: Page): Promise<void> {
    const place: (typeof line)[number] = { settled: null }
    inHand += 1
    if (isOrdered) line.push(place)
    place.settled = await work(page, signal).then(
      result => ({ result }),
      thrown => ({ thrown }),
    )
    if (!isOrdered) line.push(place)
    ready.wake()
  }

  return {
    async put(page) {
      signal.throwIfAborted()
      void begin(page)
      while (inHand >= size) await room.sleepUntil(Number.POSITIVE_INFINITY, signal)
    },
    end() {
      isEnded = true
      ready.wake()
    },
    async take() {
      for (;;) {
        signal.throwIfAborted()
        const settled = line[0]?.settled ?? null
        if (settled !== null) {
          line.shift()
          inHand -= 1
          room.wake()
          if ('thrown' in settled) throw settled.thrown
          return settled.result
        }
        if (isEnded && inHand === 0) return null
        await ready.sleepUntil(Number.POSITIVE_INFINITY, signal)
      }
    },
    close: reason => closing.abort(reason),
  }
}
