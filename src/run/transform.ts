import { Duplex } from 'node:stream'
import { type Fault, faultOf, MillraceError } from '../core/errors.ts'
import type { Item, JsonObject, Link, UnroutedLinks } from '../core/wire.ts'
import type { ItemOfJob } from '../extract/item-of.ts'
import type { JobInput } from '../job/define-job.ts'
import type { Job } from '../job/job.ts'
import { checkNames, checkWhole, mostThreads } from './check-options.ts'
import { availableThreads } from './cores.ts'
import { pageFinderOf } from './page-finder.ts'
import { faultOfInput, type ParseInput } from './page-input.ts'
import { createPageReader, type PageReader } from './page-reader.ts'
import { createPageWindow, type PageWindow } from './page-window.ts'
import { type ParserOptions, parseJobOf } from './parse-only.ts'

export interface TransformOptions extends ParserOptions {
  /** Whether results come in the order of their pages (the default), or each as soon as it is there. */
  readonly ordered?: boolean
  /** Pages in here at once, from when they are written to when their result is read. Default: four for each thread. */
  readonly inFlight?: number
}

/** A page, as the first of these has it: `html`, or `body`. */
export interface TransformInput extends Omit<ParseInput, 'body'> {
  /** Text, whatever its kind. */
  readonly html?: string
  readonly body?: ParseInput['body']
}

/** What came of a page: there is one for each that was written. */
export interface Transformed<Made = Item> {
  /** As the page came with it, and `meta` too. */
  readonly url: string
  readonly meta: JsonObject | null
  /** Name of the page rule; null: none fits, or the page is not of its type, which `fault` says. */
  readonly page: string | null
  readonly items: readonly Made[]
  /** Why items of the page are not among them. */
  readonly refused: readonly Fault[]
  readonly links: readonly Link[]
  /** Null: a page rule fits each link that is followed and in scope. */
  readonly unrouted: UnroutedLinks | null
  /** Why the page could not be read; null: it was. */
  readonly fault: Fault | null
}

/**
 * The parse stage as a part of somebody's pipeline, in threads of its own, with backpressure: it takes no page while
 * `inFlight` of them are in it. What is wrong with a page is in its result. A stream fails only where no page can be
 * read: CONFIG_INVALID, since a module of the job cannot be loaded. Each stream has its own threads, from its first page
 * on, and ends them when it ends, fails, or is destroyed or cancelled.
 */
export interface Transform<Made = Item> {
  /** For `pipeline`: takes `TransformInput`s and gives `Transformed`s. */
  node(): Duplex
  /** For `pipeThrough`. */
  web(): { readonly readable: ReadableStream<Transformed<Made>>; readonly writable: WritableStream<TransformInput> }
}

const transformOptions: Readonly<Record<keyof TransformOptions, true>> = {
  threads: true,
  ordered: true,
  inFlight: true,
}

const mostInFlight = 10_000

/** A window, and the threads that work behind it. */
interface Stage<Made> extends PageWindow<TransformInput, Transformed<Made>> {
  /** Ends the threads; whoever waits is told `reason`. */
  leave(reason?: unknown): Promise<void>
}

/**
 * @param job a job file's content, or what `loadJob` gave; seeds, limits and hosts are of no matter here
 * @throws MillraceError CONFIG_INVALID, with the path in the job or the option, the value, and what is accepted
 */
export function transform<const Input extends JobInput | Job>(
  job: Input,
  options: TransformOptions = {},
): Transform<ItemOfJob<Input>> {
  type Made = ItemOfJob<Input>
  checkNames('transform', options, transformOptions)
  const { threads = availableThreads(), ordered: isOrdered = true } = options
  checkWhole('threads', threads, 0, mostThreads)
  checkWhole('inFlight', options.inFlight, 1, mostInFlight)
  const checked = parseJobOf(job)
  const pageOf = pageFinderOf(checked)

  function open(): Stage<Made> {
    let reader: PageReader<Made> | null = null
    async function work(input: TransformInput, signal: AbortSignal): Promise<Transformed<Made>> {
      const { html, body = html, ...rest } = input
      const { url, meta = null } = rest
      const nothing = { url, meta, page: null, items: [], refused: [], links: [], unrouted: null }
      if (body === undefined) return { ...nothing, fault: faultOf('CONFIG_INVALID', `${url}: ${noBody}`) }
      const given = { ...rest, body }
      const page = faultOfInput(given) ?? pageOf(given)
      if (typeof page !== 'string') return { ...nothing, fault: page }
      reader ??= createPageReader(checked, threads)
      const parsed = await reader.read(given, page, signal)
      const { links, unrouted } = parsed
      const found = { ...nothing, page, links, unrouted }
      if (parsed.kind === 'faulted') return { ...found, fault: parsed.fault }
      const { items, refused } = parsed
      return { ...found, items, refused, fault: null }
    }
    const window = createPageWindow({ work, size: options.inFlight ?? Math.max(1, threads) * perThread, isOrdered })
    return {
      ...window,
      async leave(reason = new MillraceError('ABORTED', 'the stream was destroyed')) {
        window.close(reason)
        await reader?.[Symbol.asyncDispose]()
      },
    }
  }

  return { node: () => nodeStream(open()), web: () => webStreams(open()) }
}

/** One that is parsed, one that is on its way to the thread, and their replies. */
const perThread = 4

const noBody = 'the page has neither `html` nor `body`'

function nodeStream<Made>(stage: Stage<Made>): Duplex {
  return new Duplex({
    objectMode: true,
    // What is in here is counted by the window, and nothing is to wait beside it.
    writableHighWaterMark: 1,
    readableHighWaterMark: 1,
    write: (page: TransformInput, _, done) => void stage.put(page).then(() => done(), done),
    final(done) {
      stage.end()
      done()
    },
    read() {
      stage.take().then(
        result => this.push(result),
        thrown => this.destroy(thrown),
      )
    },
    destroy: (thrown, done) => void stage.leave(thrown ?? undefined).then(() => done(thrown), done),
  })
}

function webStreams<Made>(stage: Stage<Made>): ReturnType<Transform<Made>['web']> {
  /** Of the other side, which is told when one side fails. */
  const sides: { readonly error: (reason: unknown) => void }[] = []
  async function fail(reason: unknown): Promise<void> {
    for (const side of sides) side.error(reason)
    await stage.leave(reason)
  }
  const writable = new WritableStream<TransformInput>(
    {
      start: controller => void sides.push({ error: reason => controller.error(reason) }),
      write: page => stage.put(page),
      close: () => stage.end(),
      abort: fail,
    },
    { highWaterMark: 1 },
  )
  const readable = new ReadableStream<Transformed<Made>>(
    {
      start: controller => void sides.push({ error: reason => controller.error(reason) }),
      async pull(controller) {
        const result = await stage.take().catch(async thrown => {
          await fail(thrown)
          throw thrown
        })
        if (result !== null) return controller.enqueue(result)
        await stage.leave()
        controller.close()
      },
      cancel: fail,
    },
    { highWaterMark: 0 },
  )
  return { readable, writable }
}
