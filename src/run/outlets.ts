import type { Clock } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { Task } from '../core/task.ts'
import type { Ending, Outlet, Yield } from '../crawl/outlet.ts'
import { type Committer, createCommitter, type PageLines, type Positions } from '../sink/committer.ts'
import { type DeadLetter, deadLetterOf } from '../sink/dead-letter.ts'
import { createLineFile } from '../sink/line-file.ts'
import type { Sink } from '../sink/sink.ts'
import type { CrawlResult, ResultChannel } from './results.ts'

export interface OutletOptions {
  readonly clock: Clock
  readonly events: Events
  readonly results: ResultChannel
  /** Null: no file, items go to whoever iterates. */
  readonly files: { readonly items: string; readonly dead: string } | null
  /** Where the files end by the last commit. */
  readonly start: Positions
  /** See `CommitterOptions.seal`. */
  readonly seal: () => (positions: Positions) => Promise<void>
}

export interface ClosableOutlet extends Outlet, AsyncDisposable {
  /** Everything so far is kept. */
  finish(): Promise<void>
  /** Everything so far is kept soon, even if no URL ends. */
  commitSoon(): void
  /** Items in the file, those of earlier processes too; null without files. */
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
  const { clock, results, files } = options
  await using opening = new AsyncDisposableStack()
  const items = files === null ? null : opening.use(await createLineFile(files.items, options.start.items))
  const dead = files === null ? null : opening.use(await createLineFile(files.dead, options.start.dead))
  const committer = items === null || dead === null ? null : committerOf(items, dead, options)
  const opened = opening.move()
  return {
    want: files === null ? 'objects' : 'bytes',
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
      const kept = committer?.add(itemsOf(page), deadLines(letters))
      if (kept === undefined) options.seal()
      await kept
      const result = resultOf(task, ending, letter, page)
      if (result !== null) await results.push(result)
      for (const refusal of refused) await results.push({ kind: 'dead', ...refusal })
    },
    finish: async () => committer?.finish(),
    commitSoon: () => void committer?.add(null).catch(() => {}),
    get items() {
      return items?.position.lines ?? null
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function committerOf(items: Sink, dead: Sink, { clock, events, seal }: OutletOptions): Committer {
  const onWrote = (lines: number, bytes: number, latencyMs: number): void =>
    events.emit('sink.wrote', () => ({ items: lines, bytes, latencyMs }))
  return createCommitter({ clock, items, dead, seal, onWrote })
}
