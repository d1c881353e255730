import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fate } from '../../src/core/fate.ts'
import { createLedger } from '../../src/core/ledger.ts'
import type { Task } from '../../src/core/task.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createFrontier } from '../../src/frontier/create-frontier.ts'
import { memory } from '../../src/frontier/stores/memory.ts'
import { createSimClock } from '../sim/clock.ts'
import { taskOf } from './tasks.ts'

const hosts = ['a.test', 'b.test', 'c.test', 'd.test'] as HostKey[]
const hostArb = fc.constantFrom(...hosts)
const pathArb = fc.integer({ min: 0, max: 30 })
const pickArb = fc.nat({ max: 1000 })
const waitArb = fc.constantFrom(0, 1, 50, 1000)

const endArb = fc.constantFrom<Fate>(
  { kind: 'done' },
  { kind: 'dead', fault: { code: 'DNS_FAILED', message: 'no address' }, status: null },
  { kind: 'skipped', reason: 'budget' },
)

const stepOf = <K extends string, S extends object>(weight: number, kind: K, rest: fc.Arbitrary<S>) => ({
  weight,
  arbitrary: rest.map(fields => ({ kind, ...fields })),
})
const stepArb = fc.oneof(
  stepOf(3, 'add', fc.record({ host: hostArb, path: pathArb, waitMs: waitArb })),
  stepOf(5, 'take', fc.record({})),
  stepOf(3, 'settle', fc.record({ pick: pickArb, fate: endArb })),
  stepOf(2, 'retry', fc.record({ pick: pickArb, waitMs: waitArb })),
  stepOf(2, 'moved', fc.record({ pick: pickArb, host: hostArb, path: pathArb })),
  stepOf(2, 'putBack', fc.record({ pick: pickArb })),
  stepOf(3, 'gate', fc.record({ host: hostArb, waitMs: fc.constantFrom(0, 20, Number.POSITIVE_INFINITY) })),
  stepOf(2, 'pass', fc.record({ durationMs: fc.constantFrom(1, 20, 1000) })),
)
type Step = typeof stepArb extends fc.Arbitrary<infer T> ? T : never

/** The frontier beside a plain account of what it must hold: a list, searched from end to end at each question. */
function createBench() {
  const clock = createSimClock()
  const frontier = createFrontier({ clock, store: memory(), ledger: createLedger() })
  const openAtMs = new Map<HostKey, number>(hosts.map(host => [host, 0]))
  const known = new Set<string>()
  let queued: Task[] = []
  let leased: Task[] = []

  const gateOf = (host: HostKey): number => openAtMs.get(host) ?? 0
  /** When the model could give `task`. */
  const readyAtMs = (task: Task): number => Math.max(task.notBeforeMs, gateOf(task.host))

  function take(): void {
    const nowMs = clock.nowMs()
    const next = frontier.take(gateOf)
    const ready = queued.filter(task => readyAtMs(task) <= nowMs)
    if (next.kind === 'task') {
      expect(ready.map(({ id }) => id)).toContain(next.task.id)
      queued = queued.filter(({ id }) => id !== next.task.id)
      leased.push(next.task)
      return
    }
    expect(ready).toEqual([])
    expect(next.kind).toBe(queued.length + leased.length === 0 ? 'done' : 'wait')
    // Early is a wasted look, late is a lost wake-up.
    if (next.kind === 'wait')
      expect(next.untilMs).toBeLessThanOrEqual(Math.min(Number.POSITIVE_INFINITY, ...queued.map(readyAtMs)))
  }

  /** What `fate` puts back into the queue in place of `task`. */
  function againOf(task: Task, fate: Fate): Task | null {
    if (fate.kind === 'retry') return { ...task, notBeforeMs: fate.notBeforeMs }
    if (fate.kind !== 'moved') return null
    return fate.to.id !== task.id && known.has(fate.to.id) ? null : fate.to
  }

  function settle(task: Task, fate: Fate): void {
    const again = againOf(task, fate)
    const happened = fate.kind === 'moved' && again === null ? 'skipped' : fate.kind
    expect(frontier.settle(task, fate).kind).toBe(happened)
    leased = leased.filter(one => one !== task)
    if (again === null) return
    known.add(again.id)
    queued.push(again)
  }

  function putBack(task: Task): void {
    frontier.putBack(task)
    leased = leased.filter(one => one !== task)
    queued.push(task)
  }

  function add(task: Task): void {
    expect(frontier.add([task])).toBe(known.has(task.id) ? 0 : 1)
    if (!known.has(task.id)) queued.push(task)
    known.add(task.id)
  }

  async function apply(step: Step): Promise<void> {
    const nowMs = clock.nowMs()
    const picked = 'pick' in step ? leased[step.pick % Math.max(1, leased.length)] : undefined
    switch (step.kind) {
      case 'add':
        add(taskOf(`http://${step.host}/${step.path}`, { notBeforeMs: step.waitMs === 0 ? 0 : nowMs + step.waitMs }))
        return
      case 'take':
        take()
        return
      case 'settle':
        if (picked !== undefined) settle(picked, step.fate)
        return
      case 'retry':
        if (picked !== undefined) settle(picked, { kind: 'retry', notBeforeMs: nowMs + step.waitMs, charge: 'url' })
        return
      case 'moved':
        if (picked !== undefined) settle(picked, { kind: 'moved', to: taskOf(`http://${step.host}/${step.path}`) })
        return
      case 'putBack':
        if (picked !== undefined) putBack(picked)
        return
      case 'gate':
        openAtMs.set(step.host, nowMs + step.waitMs)
        // The promise of whoever closes and opens gates: an earlier time is told, a later one is found by asking.
        frontier.wake(step.host)
        return
      case 'pass':
        await clock.advance(step.durationMs)
        return
      default:
        step satisfies never
    }
  }

  function check(): void {
    const { discovered, done, failed, skipped, pending } = frontier.counts
    expect(done + failed + skipped + pending).toBe(discovered)
    expect(pending).toBe(queued.length + leased.length)
    expect(frontier.size).toMatchObject({ queued: queued.length, leased: leased.length })
    expect(frontier.size.hosts).toBeLessThanOrEqual(hosts.length)
  }

  /** Opens every gate, then does what is there until the frontier says that it is done. */
  async function finish(): Promise<void> {
    for (const host of hosts) await apply({ kind: 'gate', host, waitMs: 0 })
    for (const task of leased) frontier.settle(task, { kind: 'done' })
    leased = []
    for (let turns = 0; turns < 1000; turns++) {
      const next = frontier.take(gateOf)
      if (next.kind === 'done') return
      if (next.kind === 'task') frontier.settle(next.task, { kind: 'done' })
      else {
        expect(next.untilMs, 'with every gate open and nothing leased, nobody can wake it').not.toBe(
          Number.POSITIVE_INFINITY,
        )
        await clock.advance(next.untilMs - clock.nowMs())
      }
    }
    expect.unreachable('the frontier did not end')
  }

  return { apply, check, finish, frontier }
}

test('whatever is done to it, the frontier holds what it must, wakes in time, and ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArb, { maxLength: 150, size: 'max' }), async steps => {
      const { apply, check, finish, frontier } = createBench()
      for (const step of steps) {
        await apply(step)
        check()
      }
      await finish()
      expect(frontier.counts.pending).toBe(0)
      expect(frontier.size).toEqual({ hosts: 0, queued: 0, leased: 0 })
    }),
    // A failure is shrunk for as long as the test's time allows, and then told with its seed.
    { numRuns: 100, interruptAfterTimeLimit: 12_000 },
  )
})
