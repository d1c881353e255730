/** An output that lines are appended to. */
export interface Sink extends AsyncDisposable {
  /**
   * Whole lines, each ended by a line feed; the sink owns them afterwards. Resolves when they are taken over, which
   * waits while more than a buffer's worth is unwritten. Flushed by count and by time, and on dispose.
   * @throws SINK_FAILED the file is cut back to its last whole line first
   */
  append(lines: Uint8Array, count: number): Promise<void>
  /** Everything taken over so far is in the file. */
  flush(): Promise<void>
  readonly written: { readonly lines: number; readonly bytes: number }
}
