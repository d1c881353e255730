import { lstat, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MillraceError, sinkFailure } from '../core/errors.ts'
import type { Job } from '../job/job.ts'
import { type Recorder, startRecorder } from '../replay/recorder.ts'
import { version } from '../version.ts'

export interface RecorderOptions {
  readonly goesOn: boolean
  readonly restart?: boolean
}

/**
 * A recorder into a file that is new, or that the same run has written so far, or that may be written over.
 * @throws CONFIG_INVALID the name says another format, or the file is there and is of another run
 * @throws SINK_FAILED it cannot be opened
 */
export async function openRecorder(
  path: string,
  { userAgent }: Pick<Job, 'userAgent'>,
  { goesOn, restart = false }: RecorderOptions,
): Promise<Recorder> {
  if (!path.endsWith('.warc.gz'))
    throw new MillraceError('CONFIG_INVALID', `record: ${path} is not accepted; expected a name that ends in .warc.gz`)
  const there = await lstat(path).catch(() => null)
  if (there !== null && !there.isFile())
    throw new MillraceError('CONFIG_INVALID', `record: ${path} is there and is no file; name another one`)
  if (there !== null && !goesOn && !restart)
    throw new MillraceError(
      'CONFIG_INVALID',
      `record: ${path} is there already, and this run begins anew: name another file, or write over it with --restart`,
    )
  await mkdir(dirname(path), { recursive: true }).catch(cause => {
    throw sinkFailure(dirname(path), 'cannot be made', cause)
  })
  return startRecorder({ path, goesOn, userAgent, software: `millrace/${version}` })
}
