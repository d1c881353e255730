import { MillraceError } from '../core/errors.ts'

/** What is benched: a recording, pages of a job, or pages that are made. */
type Way = 'recording' | 'job' | 'made'

const ofRecording = { ways: ['recording'], why: 'this is of a recording, which --replay names' } as const
const ofSweep = { ways: ['job', 'made'], why: 'a recording is played back in one way, and not in rows' } as const
const ofMade = { ways: ['made'], why: 'the pages are there already, and as large as they are' } as const

/** Where an option does something, and why it does nothing elsewhere. Those of every bench are left out. */
const uses: Readonly<Record<string, { readonly ways: readonly Way[]; readonly why: string }>> = {
  half: ofRecording,
  waits: ofRecording,
  seed: ofRecording,
  'max-pages': ofRecording,
  concurrency: ofSweep,
  latency: ofSweep,
  capacity: ofSweep,
  seconds: ofSweep,
  size: ofMade,
  weight: ofMade,
  pages: { ways: ['job', 'made'], why: 'the pages are those of the recording' },
  set: { ways: ['recording', 'job'], why: 'there is no job to change' },
}

/**
 * An option that changes nothing would let its user believe that it did.
 * @param given names of the options that stand on the command line
 * @throws CONFIG_INVALID
 */
export function checkBenchOptions(given: readonly string[], way: Way): void {
  for (const name of given) {
    const use = uses[name]
    if (use !== undefined && !use.ways.includes(way)) throw new MillraceError('CONFIG_INVALID', `--${name}: ${use.why}`)
  }
}
