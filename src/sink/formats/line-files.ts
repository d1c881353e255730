import { verifyFile } from '../checkpoints.ts'
import { compressions } from '../compression.ts'
import { exists } from '../exists.ts'
import { createPartedFile } from '../parted-file.ts'
import type { Position } from '../sink.ts'
import type { Format, Place } from './format.ts'

const partDigits = 5

/** `items.jsonl`; of files in a row `items-00001.jsonl`. */
export const partPath = ({ base, rotation }: Pick<Place, 'base' | 'rotation'>, part: number, ending: string): string =>
  rotation === null ? `${base}${ending}` : `${base}-${String(part).padStart(partDigits, '0')}${ending}`

/** Files of lines, whatever the lines are. */
export function lineFiles(extension: string): Format {
  const endingOf = ({ compress }: Place): string => `${extension}${compressions[compress].ending}`
  return {
    fileOf: place => partPath(place, 1, endingOf(place)),
    open: (place, start) =>
      createPartedFile({
        clock: place.clock,
        pathOf: part => partPath(place, part, endingOf(place)),
        start,
        head: place.head,
        rotation: place.rotation,
        encode: compressions[place.compress].encode,
      }),
    verify: (place, checkpoints) => verifyParts(part => partPath(place, part, endingOf(place)), checkpoints),
  }
}

/** Files that are ended may have been taken away; those that are there are what was written. */
export async function verifyParts(pathOf: (part: number) => string, checkpoints: readonly Position[]): Promise<void> {
  const last = checkpoints.at(-1)?.part ?? 1
  for (const [part, marks] of Map.groupBy(checkpoints, ({ part = 1 }) => part))
    if (part === last || (await exists(pathOf(part)))) await verifyFile(pathOf(part), marks)
}
