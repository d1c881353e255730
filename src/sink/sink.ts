/** Where an output ends: what a commit records, and what a resume cuts it back to. */
export interface Position {
  readonly bytes: number
  readonly lines: number
  /** CRC-32 of all bytes so far. */
  readonly crc: number
}

export const emptyPosition: Position = { bytes: 0, lines: 0, crc: 0 }

/** An output that lines are appended to. It groups nothing: whoever writes decides how much goes at once. */
export interface Sink extends AsyncDisposable {
  /**
   * Whole lines, each ended by a line feed; `count` of them. One write at a time. Resolves when they are on the disk.
   * @throws SINK_FAILED the file is cut back to its last whole line first, and takes nothing more
   */
  write(chunks: readonly Uint8Array[], count: number): Promise<void>
  /** After the last write that resolved. */
  readonly position: Position
}
