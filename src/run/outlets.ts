import type { Clock } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { Task } from '../core/task.ts'
import type { Ending, Outlet, Yield } from '../crawl/outlet.ts'
import { type Committer, createCommitter, type PageLines, type Positions, type Sealed } from '../sink/committer.ts'
import { type DeadLetter, deadLetterOf } from '../sink/dead-letter.ts'
import type { Sink } from '../sink/sink.ts'
import type { Webhook } from '../sink/webhook.ts'
import { type Outputs, positionOf } from './outputs.ts'
import type { CrawlResult, ResultChannel } from './results.ts'

export interface OutletOptions {
  readonly clock: Clock
  readonly events: Events
  readonly results: ResultChannel
  /** Null: items go to whoever iterates. */
  readonly outputs: Outputs | null
  /** Where they end by the last commit. */
  readonly start: Positions
  /** Made where items are sent on as well. */
  readonly webhook: Webhook | null
  /** See `CommitterOptions.seal`. */
  readonly seal: () => (sealed: Sealed) => Promise<void>
}

export interface ClosableOutlet extends Outlet, AsyncDisposable {
  /** Everything so far is kept; where the run is complete, outputs are made ready for their readers too. */
  finish(isComplete: boolean): Promise<void>
  /** The run is being stopped: nobody is held back by a webhook any more, and what it has not got waits for the next run. */
  release(): void
  /** Everything so far is kept soon, even if no URL ends. */
  commitSoon(): void
  /** Items in the output, those of earlier processes too; null where whoever iterates has them. */
  readonly items: number | null
}

const encoder = new TextEncoder()

function itemsOf(page: Yield | null): PageLines | null {
  if (page === null || page.reply.itemCount === 0) return null
  return { output: 'items', bytes: page.reply.output, count: page.reply.itemCount }
}

function deadLines(letters: readonly DeadLetter[]): PageLines | null {
  if (letters.length === 0) return null
  const text = letters.map(letter => `${JSON.stringify(letter)}\n`).join('')
  return { output: 'dead', bytes: encoder.encode(text), count: letters.length }
}

function resultOf(task: Task, ending: Ending, letter: DeadLetter | null, page: Yield | null): CrawlResult | null {
  const { askedUrl: url } = task
  if (letter !== null) return { kind: 'dead', ...letter }
  if (ending.kind === 'skipped') return { kind: 'skipped', url, reason: ending.reason }
  if (page === null) return null
  const { items, itemCount } = page.reply
  return { kind: 'page', url, finalUrl: task.url, page: task.page, status: page.status, items, itemCount }
}

/** Files first, where there are any, then the reader: what a reader saw is never missing from the files. */
export async function createOutlet(options: OutletOptions): Promise<ClosableOutlet> {
  const { clock, results, outputs, start, webhook } = options
  await using opening = new AsyncDisposableStack()
  const sinks: Record<string, Sink> = {}
  for (const [name, output] of Object.entries(outputs ?? {}))
    sinks[name] = opening.use(await output.open(positionOf(start, name)))
  const items = sinks.items ?? null
  const committer = items === null ? null : committerOf(sinks, options)
  if (webhook !== null && items !== null) {
    opening.use(webhook)
    webhook.committed(items.position)
  }
  let isReleased = false
  /** Of tasks that have been parsed and have not ended yet. */
  const records = new WeakMap<Task, Uint8Array>()
  const recordOf = (task: Task): PageLines | null => {
    const bytes = records.get(task)
    return bytes === undefined ? null : { output: 'warc', bytes, count: 2 }
  }
  const opened = opening.move()
  return {
    want: items === null ? 'objects' : 'bytes',
    archive: (task, record) => void records.set(task, record),
    async take(task, ending, stage, page) {
      const at = clock.wallIso()
      const letter =
        ending.kind === 'dead' ? deadLetterOf(task, ending.fault, ending.status, stage, at, ending.replay) : null
      // Items of a page that is done otherwise.
      const refused = (page?.reply.refused ?? []).map(fault =>
        deadLetterOf(task, fault, page?.status ?? null, stage, at),
      )
      const letters = letter === null ? refused : [letter]
      // Before the first await: the batch that the frontier's change belongs to is still open.
      const kept = committer?.add(itemsOf(page), deadLines(letters), recordOf(task))
      if (kept === undefined) options.seal()
      await kept
      if (!isReleased) await webhook?.room()
      const result = resultOf(task, ending, letter, page)
      if (result !== null) await results.push(result)
      for (const refusal of refused) await results.push({ kind: 'dead', ...refusal })
    },
    async finish(isComplete) {
      await committer?.finish()
      if (!isReleased) await webhook?.drained()
      if (!isComplete) return
      for (const sink of Object.values(sinks)) await sink.complete?.()
    },
    release() {
      isReleased = true
      webhook?.release()
    },
    commitSoon: () => void committer?.add(null).catch(() => {}),
    get items() {
      return items?.position.lines ?? null
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function committerOf(
  outputs: Readonly<Record<string, Sink>>,
  { clock, events, seal, webhook }: OutletOptions,
): Committer {
  const onWrote = (lines: number, bytes: number, latencyMs: number): void =>
    events.emit('sink.wrote', () => ({ items: lines, bytes, latencyMs }))
  const sealAndTell: typeof seal = () => {
    const commit = seal()
    return async sealed => {
      await commit(sealed)
      if (sealed.positions.items !== undefined) webhook?.committed(sealed.positions.items)
    }
  }
  return createCommitter({ clock, outputs, seal: webhook === null ? seal : sealAndTell, onWrote })
}
