import type { Writable } from 'node:stream'
import type { Clock, Env } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { JsonValue } from '../core/wire.ts'
import type { Job } from '../job/job.ts'
import type { Positions } from '../sink/committer.ts'
import type { Place } from '../sink/formats/format.ts'
import { formats } from '../sink/formats/index.ts'
import { verifyParts } from '../sink/formats/line-files.ts'
import { createPartedFile } from '../sink/parted-file.ts'
import { createPipe } from '../sink/pipe.ts'
import { emptyPosition, type Position, type Sink } from '../sink/sink.ts'
import { createWebhook, type Delivered, type Webhook } from '../sink/webhook.ts'
import { headOf } from '../stage/line-format.ts'
import { version } from '../version.ts'
import { infoRecord } from '../warc/record.ts'
import type { OutFolder } from './out-folder.ts'
import { lineFormatOf } from './stage-rules.ts'

/** How far a webhook has come, and how that is kept. */
export interface Delivery {
  readonly start: Delivered
  readonly keep: (delivered: Delivered) => Promise<void>
}

/** The outputs of a run, by the names that commits know them by. */
export type Outputs = Readonly<Record<string, Output>>

export interface Output {
  /** @throws SINK_FAILED */
  open(start: Position): Promise<Sink>
  /** @throws SINK_FAILED it is not what was committed */
  verify(checkpoints: readonly Position[]): Promise<void>
}

export interface Destination {
  readonly folder: OutFolder | null
  readonly pipe: Writable | undefined
}

/** Null: items go to whoever iterates. */
export function outputsOf({ folder, pipe }: Destination, job: Job, clock: Clock): Outputs | null {
  if (folder !== null) return outputsIn(folder, job, clock)
  return pipe === undefined ? null : outputsTo(pipe)
}

/** What sends the items of a folder on, where the job wants it. */
export function webhookOf(
  folder: OutFolder | null,
  { webhook }: Job,
  delivery: Delivery,
  { clock, random, events }: Env & { readonly events: Events },
): Webhook | null {
  if (folder === null || webhook === null) return null
  const path = `${folder.items}.jsonl`
  return createWebhook({
    ...webhook,
    ...delivery,
    clock,
    random,
    path,
    tellFailed: failed => events.emit('webhook.failed', () => failed),
  })
}

/** Items go into the files of a folder, as the job wants them, and beside them dead letters and an archive. */
function outputsIn(folder: OutFolder, { output }: Job, clock: Clock): Outputs {
  const { format, compress, rotation, columns, warc } = output
  const { open, verify } = formats[format]
  const place: Place = { clock, base: folder.items, compress, rotation, head: headOf(lineFormatOf(output)), columns }
  return {
    items: {
      open: start => open(place, start),
      verify: checkpoints => verify(place, checkpoints),
    },
    dead: fileOutput(folder.dead, clock, null),
    ...(warc !== null && {
      warc: fileOutput(
        folder.archive(warc),
        clock,
        infoRecord(`millrace/${version}`, clock.wallIso(), warc.endsWith('.gz')),
      ),
    }),
  }
}

/** Items go down a pipe, which nobody can cut back. */
const outputsTo = (pipe: Writable): Outputs => ({
  items: { open: async () => createPipe(pipe), verify: async () => {} },
})

function fileOutput(path: string, clock: Clock, head: Uint8Array | null): Output {
  const pathOf = (): string => path
  return {
    open: start => createPartedFile({ clock, pathOf, start, head }),
    verify: checkpoints => verifyParts(pathOf, checkpoints),
  }
}

/** What a commit recorded of all outputs; null: there was none. */
export const positionsOf = (kept: JsonValue): Positions => (kept === null ? {} : (kept as unknown as Positions))

/** Where one output ended, by what a commit recorded of all; from its beginning where there was none. */
export const positionOf = (positions: Positions | null, name: string): Position => positions?.[name] ?? emptyPosition
