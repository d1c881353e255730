import { realClock } from '../core/clock.ts'
import type { Fault } from '../core/errors.ts'
import type { EngineName, Item, Link, UnroutedLinks } from '../core/wire.ts'
import type { Job } from '../job/job.ts'
import type { ParserStats } from '../parse/parser.ts'
import { slicesOf } from '../stage/link-packs.ts'
import type { ParseInput } from './page-input.ts'
import { createPagePool } from './page-pool.ts'
import { withPlainOutput } from './plain-output.ts'

export type Parsed<Made = Item> =
  | {
      readonly kind: 'parsed'
      readonly page: string
      readonly items: readonly Made[]
      /** Why items of the page are not among them. */
      readonly refused: readonly Fault[]
      readonly links: readonly Link[]
      /** Null: a page rule fits each link that is followed and in scope. */
      readonly unrouted: UnroutedLinks | null
      readonly charset: string
      readonly engine: EngineName
      readonly cpuMs: number
    }
  | {
      readonly kind: 'faulted'
      readonly fault: Fault
      /** Of a page that was read, and lacks what its rule requires. */
      readonly links: readonly Link[]
      readonly unrouted: UnroutedLinks | null
      readonly cpuMs: number
    }

/** Pages in, items out, for those who have checked their pages. */
export interface PageReader<Made = Item> extends AsyncDisposable {
  /** @param page name of a rule that the job has */
  read(input: ParseInput, page: string, signal: AbortSignal): Promise<Parsed<Made>>
  readonly stats: ParserStats
}

/** A body that owns its memory, so that moving it takes nothing else along. */
function ownBytes(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  const { buffer, byteLength } = body
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !Buffer.isBuffer(body)
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(body)
}

/** Text has been decoded already: what its header said of an encoding is over. */
const typeOfText = (contentType = 'text/html'): string => `${contentType.split(';', 1)[0]}; charset=utf-8`

/** @param threads 0: pages are read in the calling one */
export function createPageReader<Made>(job: Job, threads: number): PageReader<Made> {
  // Nobody is told what an audit finds.
  const parser = createPagePool(withPlainOutput({ ...job, audit: 0 }), threads)
  return {
    async read(input, page, signal) {
      const reply = await parser.parse(
        {
          body: ownBytes(input.body),
          contentCoding: input.contentCoding ?? '',
          contentType: typeof input.body === 'string' ? typeOfText(input.contentType) : (input.contentType ?? ''),
          askedUrl: input.url,
          finalUrl: input.url,
          page,
          depth: 0,
          fetchedAt: realClock.wallIso(),
          want: 'objects',
          ...(input.meta !== undefined && { meta: input.meta }),
          ...(input.status !== undefined && { status: input.status }),
          ...(input.headers !== undefined && { headers: input.headers }),
        },
        signal,
      )
      const links = [...slicesOf({ ...reply, links: reply.links ?? [] })].flat()
      const { unrouted = null, cpuMs } = reply
      if (reply.kind === 'faulted') return { kind: reply.kind, fault: reply.fault, links, unrouted, cpuMs }
      const { kind, items, refused = [], charset, engine } = reply
      // The type of items is what the schema says they are, and the stage has read them by it.
      return { kind, page, items: items as unknown as Made[], refused, links, unrouted, charset, engine, cpuMs }
    },
    get stats() {
      return parser.stats
    },
    [Symbol.asyncDispose]: () => parser[Symbol.asyncDispose](),
  }
}
