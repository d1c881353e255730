import { realClock } from '../core/clock.ts'
import { countText } from '../core/count-text.ts'
import type { Progress } from '../run/progress.ts'
import type { CrawlRun } from '../run/run.ts'
import { counted, dim, duration, isTerminal, tell } from './terminal.ts'

const terminalEveryMs = 250
const plainEveryMs = 5000
/** The rate shown is that of the last seconds, not of the whole run. */
const rateWindowMs = 10_000

/** Shows how a run gets on: one line that is rewritten on a terminal, a plain line now and then where it is piped. */
export function showProgress(run: CrawlRun): Disposable {
  const onTerminal = isTerminal()
  const everyMs = onTerminal ? terminalEveryMs : plainEveryMs
  const samples: { readonly atMs: number; readonly ended: number }[] = []
  let timer = realClock.after(everyMs, tick)

  function tick(): void {
    const progress = run.progress()
    const line = lineOf(progress, rateOf(progress))
    if (onTerminal)
      process.stderr.write(`\r\u001b[2K${dim(line.slice(0, Math.max(20, (process.stderr.columns || 80) - 1)))}`)
    else tell(line)
    timer = realClock.after(everyMs, tick)
  }

  function rateOf({ ended }: Progress): number {
    const nowMs = realClock.nowMs()
    samples.push({ atMs: nowMs, ended })
    while (samples.length > 2 && nowMs - (samples[0]?.atMs ?? nowMs) > rateWindowMs) samples.shift()
    const first = samples[0]
    return first === undefined || nowMs === first.atMs ? 0 : ((ended - first.ended) * 1000) / (nowMs - first.atMs)
  }

  return {
    [Symbol.dispose]() {
      timer[Symbol.dispose]()
      if (onTerminal) process.stderr.write('\r\u001b[2K')
    },
  }
}

function lineOf(progress: Progress, urlsPerSecond: number): string {
  const left =
    urlsPerSecond > 0 && progress.pending > 0
      ? `, about ${duration((progress.pending / urlsPerSecond) * 1000)} left`
      : ''
  return [
    `${countText(progress.ended)}/${countText(progress.discovered)} URLs`,
    counted(progress.items, 'item'),
    `${urlsPerSecond.toFixed(1)}/s`,
    `${progress.inFlight} in flight`,
    `${progress.parseQueue} in parse`,
    `${countText(progress.failed)} failed${left}`,
    ...(progress.parked === undefined ? [] : [`waits: ${progress.parked}`]),
  ].join(' · ')
}
