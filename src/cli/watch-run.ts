import { realClock } from '../core/clock.ts'
import { type EventMap, listen } from '../core/events.ts'
import { nodeOptions } from '../core/node-options.ts'
import type { Report } from '../observe/report.ts'
import type { CrawlRun } from '../run/run.ts'
import { boundYoungGeneration } from '../run/young-generation.ts'
import { exitCodes } from './exit.ts'
import { showProgress } from './progress.ts'
import { tellSummary } from './summary.ts'
import { tellStandstill } from './tell-standstill.ts'
import { counted, duration, print, printable, red, tell } from './terminal.ts'

export interface Watching {
  readonly quiet: boolean
  readonly json: boolean
  readonly folder: string | null
}

const signalCodes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.hungUp } as const

/** Takes a run to its end in a terminal: progress, a signal that drains, a second one that leaves at once, summary. */
export async function watchRun(
  run: CrawlRun,
  { quiet, json, folder }: Watching,
): Promise<{ readonly report: Report; readonly signalled: number | null }> {
  let signalled: number | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    const code = signalCodes[signal as keyof typeof signalCodes]
    if (signalled !== null) process.exit(code)
    signalled = code
    if (!quiet) tell('\nStopping: what is under way is finished and kept. Once more leaves at once.')
    run.stop()
  }
  for (const signal of Object.keys(signalCodes)) process.on(signal, onSignal)
  using _small = boundYoungGeneration(realClock, nodeOptions())
  using _resumed = quiet ? null : tellResumed(run.id)
  using _stood = quiet ? null : listen(run.id, { 'run.stood': tellStandstill, 'webhook.failed': tellWebhook })
  try {
    const report = await finish(run, quiet)
    if (!quiet) tellSummary(report, folder)
    if (json) print(JSON.stringify(report, null, 2))
    return { report, signalled }
  } finally {
    for (const signal of Object.keys(signalCodes)) process.off(signal, onSignal)
    await run.close()
  }
}

const tellWebhook = ({ reason, tries, leftMs }: EventMap['webhook.failed']): void =>
  tell(
    `The webhook did not take its items (${printable(reason)}; ${counted(tries, 'time')}): they are sent again, for ${duration(leftMs)} more.`,
  )

async function finish(run: CrawlRun, quiet: boolean): Promise<Report> {
  if (quiet) return run.finished()
  using _progress = showProgress(run)
  return await run.finished()
}

/** A run that goes on where an earlier process stopped, or was stopped, says so. */
const tellResumed = (run: string): Disposable =>
  listen(run, {
    'run.resumed'({ done, pending, changed, damage }) {
      if (damage !== null) tell(`${red('DAMAGED')}  ${printable(damage)}`)
      tell(`Going on where an earlier run stopped: ${counted(done, 'page')} done, ${counted(pending, 'URL')} to go.`)
      if (changed.length > 0) tell(`The job changed since. ${printable(changed.join('. '))}.`)
    },
  })
