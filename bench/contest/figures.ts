import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * What every contestant that runs on Node says at its end: the whole process from its start, threads and start-up
 * included. Items are written at once at the end, the cheapest way there is.
 */
const [base = '', count = '0', concurrency = '64', out = ''] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

export interface Figures {
  readonly items: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly rssMb: number
  /** p99; null where there is no loop to be late. */
  readonly loopDelayMs: number | null
}

export const task = {
  concurrency: Number(concurrency),
  out,
  urls: Array.from({ length: Number(count) }, (_, nth) => `${base}/${nth}`),
}

const lines: string[] = []

export const keep = (url: string, item: unknown): void => {
  lines.push(JSON.stringify({ ...(item as object), _url: url }))
}

/** `items`: of a contestant that has written its own. */
export function finish(items: number = lines.length): void {
  if (lines.length > 0) writeFileSync(out, `${lines.join('\n')}\n`)
  const { user, system } = process.cpuUsage()
  const figures: Figures = {
    items,
    cpuMs: (user + system) / 1000,
    wallMs: performance.now(),
    rssMb: process.resourceUsage().maxRSS / 1024,
    loopDelayMs: delay.percentile(99) / 1e6,
  }
  process.stdout.write(`\n${JSON.stringify(figures)}\n`)
}
