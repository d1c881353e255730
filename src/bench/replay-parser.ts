import type { ParseReply } from '../core/wire.ts'
import type { Parser } from '../parse/parser.ts'

/** What is known of a page beside its bytes. */
export interface Replayed {
  /** Its place in the recording. */
  readonly nth: number
  /** Its task went on to nothing else. */
  readonly isLast: boolean
}

export interface ReplayParserOptions {
  readonly parser: Parser
  readonly aboutOf: (body: Uint8Array) => Replayed | undefined
  /** Whether a URL that a page names as its own is one that another task was led to. */
  readonly isOthers: (canonicalKey: string) => boolean
  /** Told of what a page gives, before its task ends. */
  readonly onRead: (nth: number, lines: Uint8Array, count: number) => void
}

type Parsed = Extract<ParseReply, { kind: 'parsed' }>

const nothing: Pick<Parsed, 'output' | 'items' | 'itemCount'> = { output: new Uint8Array(0), items: [], itemCount: 0 }

/**
 * Where a page led, it led when it was recorded: one that ended its task then ends it now. It was a redirect to what another
 * task had, or it was not, and who is there first this time does not decide it again.
 */
function ended(reply: Parsed, isOthers: ReplayParserOptions['isOthers']): Parsed {
  const { refresh, canonical, ...rest } = reply
  if (refresh !== undefined || (canonical !== undefined && isOthers(canonical.key))) return { ...rest, ...nothing }
  return rest
}

/** Pages are read as ever, and their links are found, judged and routed; but the tasks of a replay are known beforehand. */
export function createReplayParser({ parser, aboutOf, isOthers, onRead }: ReplayParserOptions): Parser {
  return {
    ready: () => parser.ready(),
    async parse(request, signal) {
      const about = aboutOf(request.body)
      const reply = await parser.parse(request, signal)
      if (about === undefined) return reply
      if (reply.kind === 'faulted') return { ...reply, links: [], moreLinks: [] }
      const { moreLinks: _, ...read } = about.isLast ? ended(reply, isOthers) : reply
      onRead(about.nth, read.output, read.itemCount)
      return { ...read, links: [] }
    },
    get stats() {
      return parser.stats
    },
    [Symbol.asyncDispose]: () => parser[Symbol.asyncDispose](),
  }
}

/** Bodies are dropped as they come: what is left is the work of fetching them. */
export function createDroppingParser(): Parser {
  const dropped: ParseReply = {
    ...{ kind: 'parsed', ...nothing, links: [], charset: '', engine: 'stream', decodedBytes: 0, cpuMs: 0 },
  }
  let pages = 0
  return {
    async ready() {},
    async parse() {
      pages += 1
      return dropped
    },
    get stats() {
      return { threads: 0, waiting: 0, pages, timeouts: 0, restarts: 0, cpuMs: 0, queuedMs: 0 }
    },
    async [Symbol.asyncDispose]() {},
  }
}
