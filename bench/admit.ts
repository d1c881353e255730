import { cpus } from 'node:os'
import { createLedger } from '../src/core/ledger.ts'
import { newTask, type Task } from '../src/core/task.ts'
import { type HostKey, urlKey } from '../src/core/url.ts'
import { createFrontier } from '../src/frontier/create-frontier.ts'
import type { Frontier } from '../src/frontier/frontier.ts'
import { memory } from '../src/frontier/stores/memory.ts'
import { createSimClock, type SimClock } from '../test/sim/clock.ts'
import { createRandom } from '../test/sim/random.ts'

/**
 * What one admission costs the main thread when the frontier holds 100,000 hosts in every state at once: a third
 * ready, a third waiting for a time, a third waiting for a grant. A frontier that scans its hosts takes milliseconds.
 */
const hostCount = 100_000
const tasksPerHost = 4
const rounds = 200_000
const inFlight = 256
const meanTakeBoundUs = 20

export interface AdmitFigures {
  readonly machine: string
  readonly node: string
  readonly hosts: number
  readonly tasks: number
  readonly takes: number
  readonly addUs: number
  readonly takeUs: Spread
  readonly settleUs: Spread
  readonly wakeUs: Spread
  readonly gatesAskedPerTake: number
  readonly bound: { readonly meanTakeUs: number; readonly holds: boolean }
}

interface Spread {
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

interface Watch {
  time<T>(work: () => T): T
  spread(): Spread
}

function createWatch(capacity: number): Watch {
  const taken = new Float64Array(capacity)
  let count = 0
  return {
    time(work) {
      const startMs = performance.now()
      const result = work()
      taken[count++] = (performance.now() - startMs) * 1000
      return result
    },
    spread() {
      const sorted = taken.slice(0, count).sort()
      const at = (share: number): number => round(sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0)
      return { mean: round(sorted.reduce((sum, us) => sum + us, 0) / count), p50: at(0.5), p99: at(0.99), max: at(1) }
    },
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

function taskOf(host: number, path: number): Task {
  const url = new URL(`http://h${host}.test/${path}`)
  return newTask(urlKey(url), url, 'start')
}

/** Host gates as a crawl has them: one request at a time, and a pause after each. */
function createGates(clock: SimClock, random: () => number) {
  const openAtMs = new Map<HostKey, number>()
  let asked = 0
  return {
    get asked() {
      return asked
    },
    readyAtMs(host: HostKey): number {
      asked += 1
      return openAtMs.get(host) ?? 0
    },
    close: (host: HostKey) => openAtMs.set(host, Number.POSITIVE_INFINITY),
    pause: (host: HostKey) => openAtMs.set(host, clock.nowMs() + 100 + 2000 * random()),
    open: (host: HostKey) => openAtMs.delete(host),
  }
}

function fill(frontier: Frontier): number {
  let ms = 0
  for (let path = 0; path < tasksPerHost; path++) {
    const tasks = Array.from({ length: hostCount }, (_, host) => taskOf(host, path))
    const startMs = performance.now()
    frontier.add(tasks)
    ms += performance.now() - startMs
  }
  return round((ms * 1000) / (hostCount * tasksPerHost))
}

export function run(): AdmitFigures {
  const clock = createSimClock()
  const random = createRandom(1)
  const gates = createGates(clock, random)
  const frontier = createFrontier({ clock, store: memory(), ledger: createLedger() })
  const anyHost = (): HostKey => `h${Math.floor(random() * hostCount)}.test` as HostKey

  const addUs = fill(frontier)
  for (let host = 0; host < hostCount; host++) {
    if (host % 3 === 1) gates.pause(`h${host}.test` as HostKey)
    if (host % 3 === 2) gates.close(`h${host}.test` as HostKey)
  }

  const take = createWatch(rounds)
  const settle = createWatch(rounds)
  const wake = createWatch(2 * rounds)
  const leased: Task[] = []
  let takes = 0
  for (let turn = 0; turn < rounds; turn++) {
    void clock.advance(0.05)
    const next = take.time(() => frontier.take(gates.readyAtMs))
    if (next.kind === 'task') {
      takes += 1
      gates.close(next.task.host)
      leased.push(next.task)
    }
    const blocked = anyHost()
    gates.open(blocked)
    wake.time(() => frontier.wake(blocked))
    const task = leased.length >= inFlight ? leased.splice(Math.floor(random() * inFlight), 1)[0] : undefined
    if (task === undefined) continue
    gates.pause(task.host)
    wake.time(() => frontier.wake(task.host))
    const notBeforeMs = clock.nowMs() + 1000 * random()
    const again = random() < 0.2
    settle.time(() => frontier.settle(task, again ? { kind: 'retry', notBeforeMs, charge: 'url' } : { kind: 'done' }))
  }

  const takeUs = take.spread()
  return {
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores`,
    node: process.version,
    hosts: hostCount,
    tasks: hostCount * tasksPerHost,
    takes,
    addUs,
    takeUs,
    settleUs: settle.spread(),
    wakeUs: wake.spread(),
    gatesAskedPerTake: round(gates.asked / takes),
    bound: { meanTakeUs: meanTakeBoundUs, holds: takeUs.mean < meanTakeBoundUs },
  }
}

export function print(figures: AdmitFigures): void {
  const { takeUs, settleUs, wakeUs, machine, node, bound } = figures
  console.log(`Admission with ${figures.hosts} hosts, microseconds (${machine}, Node ${node})`)
  console.table({ take: takeUs, settle: settleUs, wake: wakeUs })
  console.log(`mean take below ${bound.meanTakeUs} µs: ${bound.holds ? 'holds' : 'BROKEN'}`)
  console.log(JSON.stringify(figures))
}

if (import.meta.main) {
  const figures = run()
  print(figures)
  if (!figures.bound.holds) process.exitCode = 1
}
