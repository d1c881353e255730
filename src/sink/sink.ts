/** Where an output ends: what a commit records, and what a resume cuts it back to. */
export type Position = {
  /** Of the file that is being written. */
  readonly bytes: number
  /** Over all files of the output. */
  readonly lines: number
  /** CRC-32 of the bytes of that file. */
  readonly crc: number
  /** Which file, from 1; left out where an output has one. */
  readonly part?: number
  /** Wall time at which that file was begun, where its age ends it. */
  readonly partSinceMs?: number
}

export const emptyPosition: Position = { bytes: 0, lines: 0, crc: 0 }

/** An output that lines are appended to. It groups nothing: whoever writes decides how much goes at once. */
export interface Sink extends AsyncDisposable {
  /**
   * Whole lines, each ended by a line feed; `count` of them, all that one commit has. The next ones come when they are
   * committed. Resolves when they are on the disk.
   * @throws SINK_FAILED the file is cut back to its last whole line first, and takes nothing more
   */
  write(chunks: readonly Uint8Array[], count: number): Promise<void>
  /** After the last write that resolved. */
  readonly position: Position
  /** Lines that no file has: the commit takes them along, in its own transaction. Each is given once. */
  takeRows?(): readonly Uint8Array[]
  /** Nothing more will come in this run: all that was written becomes readable. Not called where a run is only stopped. */
  complete?(): Promise<void>
}
