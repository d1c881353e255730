import type { Clock } from './core/clock.ts'
import type { Events } from './core/events.ts'
import type { Outlet } from './crawl/outlet.ts'
import type { CrawlResult, ResultChannel } from './results.ts'
import { deadLetterOf } from './sink/dead-letter.ts'
import { createLineFile } from './sink/line-file.ts'
import type { Sink } from './sink/sink.ts'

export interface OutletOptions {
  readonly clock: Clock
  readonly events: Events
  readonly results: ResultChannel
  /** Null: no file, items go to whoever iterates. */
  readonly files: { readonly items: string; readonly dead: string } | null
}

interface Files extends AsyncDisposable {
  readonly items: Sink
  readonly dead: Sink
}

async function openFiles(
  paths: { readonly items: string; readonly dead: string },
  clock: Clock,
  events: Events,
): Promise<Files> {
  await using opened = new AsyncDisposableStack()
  const onWrote = (items: number, bytes: number, latencyMs: number): void =>
    events.emit('sink.wrote', () => ({ items, bytes, latencyMs }))
  const items = opened.use(await createLineFile({ path: paths.items, clock, onWrote }))
  const dead = opened.use(await createLineFile({ path: paths.dead, clock }))
  const kept = opened.move()
  return { items, dead, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const encoder = new TextEncoder()

/** Files first, where there are any, then the reader: what a reader saw is never missing from the files. */
export async function createOutlet(options: OutletOptions): Promise<Outlet & AsyncDisposable> {
  const { clock, events, results } = options
  const files = options.files === null ? null : await openFiles(options.files, clock, events)
  return {
    want: files === null ? 'objects' : 'bytes',
    async page(task, { status }, { output, items, itemCount }) {
      if (itemCount > 0) await files?.items.append(output, itemCount)
      const { askedUrl: url, url: finalUrl, page } = task
      await results.push({ kind: 'page', url, finalUrl, page, status, items, itemCount })
    },
    async dead(task, fault, status) {
      const letter = deadLetterOf(task, fault, status, clock.wallIso())
      await files?.dead.append(encoder.encode(`${JSON.stringify(letter)}\n`), 1)
      await results.push({ kind: 'dead', ...letter } satisfies CrawlResult)
    },
    async skipped(task, reason) {
      await results.push({ kind: 'skipped', url: task.askedUrl, reason })
    },
    async [Symbol.asyncDispose]() {
      await files?.[Symbol.asyncDispose]()
    },
  }
}
