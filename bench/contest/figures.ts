import { writeFileSync } from 'node:fs'
import { watchLoopDelay } from '../../src/observe/loop-delay.ts'

/**
 * What every contestant that runs on Node says at its end: the whole process from its start, threads and start-up
 * included. Items are written at once at the end, the cheapest way there is.
 */
const [base = '', count = '0', concurrency = '64', out = ''] = process.argv.slice(2)
const delay = watchLoopDelay(10)

export interface Figures {
  readonly items: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly rssMb: number
  /** How late timers fired, p99: an idle process has 0. Null where there is no loop to be late. */
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
  const { p99, max } = delay.read()
  const figures: Figures = {
    items,
    cpuMs: (user + system) / 1000,
    wallMs: performance.now(),
    rssMb: process.resourceUsage().maxRSS / 1024,
    // One that never came round to its timers is not on time.
    loopDelayMs: max === 0 ? null : p99,
  }
  process.stdout.write(`\n${JSON.stringify(figures)}\n`)
}
