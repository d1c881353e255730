import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl } from '../src/index.ts'
import { benchJob } from './crawl-job.ts'
import { watchTicks } from './ticks.ts'

/** The same pages and fields through Millrace, items to a file. Says what it cost to the process that started it. */
const [base = '', count = '0', threads = '2', inFlight = '64'] = process.argv.slice(2)
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
const items = readFileSync(join(out, 'items.jsonl'), 'utf8').trimEnd().split('\n').length
rmSync(out, { recursive: true })
process.send?.({
  items,
  cpuMs: (user + system) / 1000,
  wallMs,
  rssMb: process.resourceUsage().maxRSS / 1024,
  loopDelayMs: report.loopDelayMs,
  saturatedMs,
  mainCpuMs: report.cpuMs.main,
  workerCpuMs: report.cpuMs.workers,
})
process.disconnect?.()
