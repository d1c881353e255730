import type { ParseReply, ParseRequest } from '../core/wire.ts'

/** What a pool says of itself for the report. */
export interface ParserStats {
  readonly threads: number
  /** Handed in and not answered. */
  readonly waiting: number
  readonly pages: number
  readonly timeouts: number
  readonly restarts: number
  readonly cpuMs: number
}

/**
 * The parse stage: bytes in, output bytes and links back. Takes ownership of `request.body`. Faults of the page are
 * replies; rejects only when closed or aborted.
 */
export interface Parser extends AsyncDisposable {
  parse(request: ParseRequest, signal: AbortSignal): Promise<ParseReply>
  readonly stats: ParserStats
}
