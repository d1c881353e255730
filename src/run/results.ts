import type { SkipReason } from '../core/fate.ts'
import type { Item } from '../core/wire.ts'
import type { DeadLetter } from '../sink/dead-letter.ts'

/** What came of one URL. */
export type CrawlResult<Made = Item> =
  | {
      readonly kind: 'page'
      /** As it was asked for. */
      readonly url: string
      /** Where it was found: differs after redirects. */
      readonly finalUrl: string
      /** Name of the page rule. */
      readonly page: string
      readonly status: number
      /** Empty when the items went to a file; `itemCount` counts them in both cases. */
      readonly items: readonly Made[]
      readonly itemCount: number
    }
  | ({ readonly kind: 'dead' } & DeadLetter)
  | { readonly kind: 'skipped'; readonly url: string; readonly reason: SkipReason }

/** A bounded hand-over between the crawl and whoever iterates over it. */
export interface ResultChannel extends AsyncIterable<CrawlResult> {
  /** Resolves when there is room: a reader that stops reading holds the page, and so closes admission. */
  push(result: CrawlResult): Promise<void>
  /** No reader will come (any more): results are dropped from now on. */
  discard(): void
  /** Nothing more will be pushed; a reader ends, or throws `failure`, after what is left. */
  end(failure?: unknown): void
}

export function createResultChannel(capacity: number): ResultChannel {
  const results: CrawlResult[] = []
  const writers: (() => void)[] = []
  let reader: (() => void) | null = null
  let discarding = false
  let ending: { readonly failure: unknown } | null = null

  function wakeReader(): void {
    reader?.()
    reader = null
  }

  async function* read(): AsyncGenerator<CrawlResult> {
    try {
      for (;;) {
        const result = results.shift()
        if (result !== undefined) {
          writers.shift()?.()
          yield result
        } else if (ending !== null) {
          if (ending.failure !== undefined) throw ending.failure
          return
        } else {
          await new Promise<void>(resolve => {
            reader = resolve
          })
        }
      }
    } finally {
      channel.discard()
    }
  }

  const channel: ResultChannel = {
    async push(result) {
      if (discarding) return
      results.push(result)
      wakeReader()
      if (results.length > capacity) await new Promise<void>(resolve => writers.push(resolve))
    },
    discard() {
      discarding = true
      results.length = 0
      for (const resume of writers.splice(0)) resume()
      wakeReader()
    },
    end(failure) {
      ending ??= { failure }
      wakeReader()
    },
    [Symbol.asyncIterator]: read,
  }
  return channel
}
