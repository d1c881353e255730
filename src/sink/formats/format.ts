import type { Clock } from '../../core/clock.ts'
import type { Column } from '../../stage/columns.ts'
import type { CompressionName } from '../compression.ts'
import type { Rotation } from '../parted-file.ts'
import type { Position, Sink } from '../sink.ts'

/** What a sink is opened with. */
export interface Place {
  readonly clock: Clock
  /** Path of its files without what a format adds: `out/items`. */
  readonly base: string
  readonly compress: CompressionName
  readonly rotation: Rotation | null
  /** What every file opens with. */
  readonly head: Uint8Array | null
  /** Of tables. */
  readonly columns: readonly Column[]
}

/**
 * What items can be written as. A new format is a file and a line in `index.ts`; the contract suite over that table tests it.
 */
export interface Format {
  /** The file that is written first; null: it has none of its own. */
  fileOf(place: Place): string | null
  /**
   * Ready to go on at `start`: what a dead process wrote beyond it is gone.
   * @throws SINK_FAILED
   */
  open(place: Place, start: Position): Promise<Sink>
  /**
   * Compares what is there with what was committed.
   * @param checkpoints in order; the last is where it is gone on with
   * @throws SINK_FAILED it is not what was written, with the place
   */
  verify(place: Place, checkpoints: readonly Position[]): Promise<void>
}
