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
  /** From hand-over until a thread began, over all pages. */
  readonly queuedMs: number
}

/**
 * The parse stage: bytes in, output bytes and links back. Takes ownership of `request.body`. Faults of the page are
 * replies; rejects only when closed or aborted, or as `ready` does.
 */
export interface Parser extends AsyncDisposable {
  /**
   * Resolves when user modules are loaded; at once where there are none. A job whose modules do not load should ask
   * nobody for a page.
   * @throws CONFIG_INVALID a module cannot be loaded, or exports no `parse`
   * @throws INVARIANT no thread can be started
   */
  ready(): Promise<void>
  parse(request: ParseRequest, signal: AbortSignal): Promise<ParseReply>
  readonly stats: ParserStats
}
