import { expect, test } from 'vitest'
import { allOf } from '../../src/core/gate.ts'
import type { Verdict } from '../../src/core/outcome.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createGlobalGate } from '../../src/gate/global-gate.ts'
import { createPageBudget } from '../../src/gate/page-budget.ts'
import { adaptive, createRig, good } from './rig.ts'

const hosts = ['a.test', 'b.test', 'c.test', 'd.test'] as HostKey[]
/** A tenth each, and the rest goes well. A worker that is killed takes its page with it after the permit is back. */
const endings = [
  ...['throws', 'times out', 'aborts', 'is killed', 'is disposed', 'settles twice'],
  ...['settles', 'settles', 'settles', 'settles'],
] as const
const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)
const { signal: untilTheEnd } = new AbortController()
const verdicts: readonly Verdict[] = ['good', 'good', 'good', 'refused', 'timeout', 'error', 'ignored']

const pick = <T>(values: readonly T[], random: () => number, fallback: T): T =>
  values[Math.floor(random() * values.length)] ?? fallback

/** Tasks that leave through all gates at once and end in every way there is. */
async function runTasks(tasks: number, seed: number) {
  using rig = createRig(adaptive, seed)
  const { clock, random } = rig.env
  const onReturned = (): void => {}
  const global = createGlobalGate({ max: 16, onReturned })
  const pages = createPageBudget({ totalBytes: 100_000, reserveBytes: 10_000, mostBytes: 30_000, onReturned })
  const gates = allOf({ page: pages, global, host: rig.gate })
  const out = new Map<HostKey, number>()
  let acquired = 0
  let released = 0

  async function visit(host: HostKey): Promise<void> {
    const limit = rig.limits.get(host) ?? 2
    using grants = gates.acquire(host)
    acquired += 1
    out.set(host, (out.get(host) ?? 0) + 1)
    expect(out.get(host)).toBeLessThanOrEqual(limit)
    try {
      await clock.sleep(random() * 200, untilTheEnd)
      grants.page.grow(Math.floor(random() * 30_000))
      const ending = pick(endings, random, 'settles')
      if (ending === 'throws') throw new Error('a task that throws')
      if (ending === 'aborts') return grants.host[Symbol.dispose]()
      if (ending === 'is disposed') return
      if (ending === 'times out') return grants.host.settle({ ...good, verdict: 'timeout', firstByteMs: null })
      grants.host.settle({ ...good, verdict: pick(verdicts, random, 'good') })
      if (ending === 'settles twice') grants.host.settle(good)
      if (ending === 'is killed') throw new Error('the worker that read the page is gone')
    } finally {
      released += 1
      out.set(host, (out.get(host) ?? 0) - 1)
    }
  }

  await clock.run(async () => {
    const visits: Promise<unknown>[] = []
    while (acquired < tasks) {
      const host = pick(hosts, random, hosts[0] ?? ('a.test' as HostKey))
      if (gates.readyAtMs(host) <= clock.nowMs()) visits.push(visit(host).catch(() => null))
      else await clock.sleep(5, untilTheEnd)
      expect(global.inFlight).toBeLessThanOrEqual(16)
    }
    await Promise.all(visits)
    // What rests after a bad answer.
    await clock.sleep(1_000, untilTheEnd)
  })
  return { views: rig.gate.views(), global, pages, acquired, released, pendingTimers: clock.pendingTimers }
}

function expectAllBack({
  views,
  global,
  pages,
  acquired,
  released,
  pendingTimers,
}: Awaited<ReturnType<typeof runTasks>>) {
  expect(released).toBe(acquired)
  for (const view of views) {
    expect(view.inFlight).toBe(0)
    expect(view.limit).toBeGreaterThanOrEqual(1)
  }
  const answers = views.flatMap(view => Object.values(view.answers)).reduce((sum, count) => sum + count, 0)
  expect(answers).toBe(acquired)
  expect([global.inFlight, pages.pages, pages.heldBytes, pendingTimers]).toEqual([0, 0, 0, 0])
  expect(global.peak).toBeLessThanOrEqual(16)
}

test('10,000 grants that settle, throw, time out, abort or lose their worker all come back, within bounds (L22)', async () => {
  expectAllBack(await runTasks(10_000, 1))
})

test.each(seeds)('and so do those of 500 tasks, whatever they draw (L22, seed %i)', async seed => {
  expectAllBack(await runTasks(500, seed))
})
