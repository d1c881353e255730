import type { RunProfile } from '../src/analyse/run-profile.ts'
import { type Change, predict } from '../src/analyse/what-if.ts'
import { runChild, startChild } from './child.ts'

/** One prediction that was made come true with real sockets, pages and threads. */
export interface RealTrial {
  readonly what: string
  readonly now: number
  readonly predicted: number
  readonly came: number
  readonly 'error %': number
}

interface Setting {
  readonly pages: number
  readonly threads: number
  readonly inFlight: number
}

const trials: readonly (readonly [string, Setting, Change])[] = [
  ['threads 1 to 2', { pages: 600, threads: 1, inFlight: 64 }, { threads: 2 }],
  ['threads 2 to 1', { pages: 600, threads: 2, inFlight: 64 }, { threads: 1 }],
  ['requests in flight 1 to 2', { pages: 150, threads: 2, inFlight: 1 }, { concurrency: 2 }],
]

const round = (value: number): number => Math.round(value * 10) / 10

/** The server takes its part of the cores too, which the run sees as cores that others use. */
export async function realTrials(): Promise<readonly RealTrial[]> {
  using server = await startChild('page-server.ts')
  const { port } = server.first as { readonly port: number }
  const measure = ({ pages, threads, inFlight }: Setting): Promise<RunProfile> =>
    runChild<RunProfile>('what-if-run.ts', [
      `http://127.0.0.1:${port}`,
      String(pages),
      String(threads),
      String(inFlight),
    ])
  const rows: RealTrial[] = []
  for (const [what, setting, change] of trials) {
    const before = await measure(setting)
    const { threads = setting.threads, concurrency = 1 } = change
    const after = await measure({ ...setting, threads, inFlight: setting.inFlight * concurrency })
    const perSecond = ({ pages, durationMs }: RunProfile): number => (pages * 1_000) / durationMs
    const [predicted, came] = [predict(before, change), perSecond(after)]
    const error = Math.round((Math.abs(predicted - came) / came) * 100)
    rows.push({ what, now: round(perSecond(before)), predicted: round(predicted), came: round(came), 'error %': error })
  }
  return rows
}
