import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchTicks } from './ticks.ts'

/**
 * The same pages and fields through Millrace, items to a file. Says what it cost to the process that started it. With
 * `memory` the state of the run is kept nowhere.
 */
const [base = '', count = '0', threads = '2', inFlight = '64', state = 'sqlite'] = process.argv.slice(2)
if (state === 'memory')
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './sqlite.ts'
        ? { url: new URL('memory-state.ts', import.meta.url).href, shortCircuit: true }
        : next(specifier, context),
  })
// Loaded only now, so that the store is the one that was asked for.
const { crawl } = await import('../src/index.ts')
const { benchJob } = await import('./crawl-job.ts')
const urls = Array.from({ length: Number(count) }, (_, nth) => `${base}/${nth}`)
const out = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
const startCpu = process.cpuUsage()
const startMs = performance.now()
const run = crawl(benchJob(urls, Number(inFlight)), { out, threads: Number(threads), restart: true })
const ending = run.finished()
// Until the threads are up and warm nothing is saturated; what is measured begins when pages come out.
while (run.progress().items < 100) await sleep(10)
const ticks = watchTicks(10)
const report = await ending
const saturatedMs = ticks.read()
ticks[Symbol.dispose]()
const { user, system } = process.cpuUsage(startCpu)
const wallMs = performance.now() - startMs
// Before the items are read: what the bench does with them is its own.
const rssMb = process.resourceUsage().maxRSS / 1024
const items = readFileSync(join(out, 'items.jsonl'), 'utf8').trimEnd().split('\n').length
rmSync(out, { recursive: true })
process.send?.({
  items,
  cpuMs: (user + system) / 1000,
  wallMs,
  rssMb,
  loopDelayMs: report.loopDelayMs,
  saturatedMs,
  mainCpuMs: report.cpuMs.main,
  workerCpuMs: report.cpuMs.workers,
})
process.disconnect?.()
