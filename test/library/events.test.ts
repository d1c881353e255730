import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { type CrawlRun, crawl, type JobInput } from '../../src/index.ts'
import { urlsOf } from '../crawl/kit.ts'
import { createSimWeb } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'

/** The example of docs/report.md, as a function of all that it takes for granted. */
function example(): (...given: readonly unknown[]) => void {
  const docs = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8')
  const [, code = ''] = /```ts\n(import \{ subscribe \}[\s\S]*?)```/.exec(docs) ?? []
  const script = stripTypeScriptTypes(code).replace(/^import .*$/gm, '')
  return new Function('subscribe', 'crawl', 'job', 'console', script) as ReturnType<typeof example>
}

const jobOf = (host: string): JobInput => ({
  seeds: urlsOf(host, 500),
  item: { title: 'h1' },
  limits: { perHost: { policy: 'aimd', start: 2, max: 4 }, rate: 'none', delayMs: 0 },
})

test('each change of a limit is told as it happens, by the example of docs/report.md', async () => {
  const env = createSimEnv(1)
  const outages = [{ fromMs: 5_000, toMs: 6_000, as: 'unavailable' }] as const
  const fetcher = createSimWeb({ env, seed: 1, hosts: host => (host === 'a.test' ? { outages } : {}) })
  const start = (job: JobInput): CrawlRun => crawl(job, { env, fetcher, threads: 0 })
  using listeners = new DisposableStack()
  const lines: string[] = []
  const runs = [start(jobOf('b.test'))]
  example()(
    (name: string, listener: Parameters<typeof subscribe>[1]) => {
      subscribe(name, listener)
      listeners.defer(() => void unsubscribe(name, listener))
    },
    (job: JobInput) => runs.push(start(job)) && runs.at(-1),
    jobOf('a.test'),
    { log: (line: string) => lines.push(line) },
  )
  const [, report] = await env.clock.run(() => Promise.all(runs.map(run => run.finished())))
  const steps = lines.map(line => /^a\.test: (\d+) -> (\d+), (.+)$/.exec(line)?.slice(1) ?? [line])
  expect(steps.slice(0, 2)).toEqual([
    ['2', '3', 'slow start'],
    ['3', '4', 'slow start'],
  ])
  expect(steps.some(([, , reason]) => reason?.startsWith('refused'))).toBe(true)
  // None is missing: each begins where the one before ended, and the last is where the report ends.
  for (const [nth, [from]] of steps.entries()) expect(from).toBe(nth === 0 ? '2' : steps[nth - 1]?.[1])
  expect(steps.at(-1)?.[1]).toBe(String(report?.hosts[0]?.limit))
})
