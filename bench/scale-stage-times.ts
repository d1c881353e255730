import { realClock, realEnv, threadCpuMs } from '../src/core/clock.ts'
import { createEvents } from '../src/core/events.ts'
import { newTask } from '../src/core/task.ts'
import type { HostKey } from '../src/core/url.ts'
import { createWaits } from '../src/crawl/waits.ts'
import { createLanes } from '../src/frontier/lanes.ts'
import { createHostGate } from '../src/gate/host-gate.ts'
import type { Permit } from '../src/gate/permit.ts'
import { gatherRunStats } from '../src/observe/run-stats.ts'
import { createStage } from '../src/stage/stage.ts'
import { pageRule, parseRequest, stageRules } from '../test/stage/requests.ts'

/** What it costs to know where the time of a page goes, CPU of one page. */
export interface StageTimesCost {
  /** What the main thread tells of a page, and those who listen. */
  readonly eventsMs: number
  /** What hosts wait for, kept with their queues. */
  readonly causesMs: number
  /** Looking at the clock, in the main thread and in that which reads the page. */
  readonly clocksMs: number
}

function cpuMsOf(work: () => void): number {
  const startMs = threadCpuMs()
  work()
  return threadCpuMs() - startMs
}

function eventsMs(pages: number): number {
  const events = createEvents('scale-stage-times')
  const task = newTask('t', new URL('http://a.test/'), 'page')
  const timing = { connectMs: 2, firstByteMs: 80, totalMs: 120 }
  const common = {
    task,
    code: null,
    bodyBytes: 1,
    decodedBytes: 1,
    items: 1,
    links: 0,
    parseMs: 5,
    queuedMs: 1,
    cpuMs: 4,
  }
  const parts = { decodeMs: 1, serialiseMs: 0.2 }
  using _stats = gatherRunStats('scale-stage-times')
  return cpuMsOf(() => {
    for (let nth = 0; nth < pages; nth += 1) {
      events.emit('task.waited', () => ({ cause: 'hostSlot', waitedMs: 30 + (nth % 100) }))
      events.emit('task.waited', () => ({ cause: 'turn', waitedMs: 1 }))
      const fetched = { task, outcome: 'page', code: null, status: 200, timing, bodyBytes: 1 } as const
      events.emit('task.fetched', () => ({ ...fetched, heldMs: nth % 100 }))
      events.emit('page.parsed', () => ({ ...common, parts, engine: 'stream', audit: null, brokenBlocks: 0 }))
      events.emit('task.kept', () => ({ waitedMs: nth % 100 }))
    }
  })
}

const good = { verdict: 'good', firstByteMs: 80, retryAfterMs: null, stalled: false } as const
/** A gate that all hosts share, and that holds nobody back. */
const open = { readyAtMs: () => 0 } as never

/**
 * Admission over hosts that have one request at a time under way, so that each page finds its host closed once and is
 * asked why. Its events have no listener here: those are counted by themselves.
 */
function admissionMs(pages: number, isTold: boolean): number {
  const events = createEvents('scale-causes')
  const lanes = createLanes(isTold ? realClock.nowMs : undefined)
  const gate = createHostGate({
    env: realEnv,
    policyOf: () => ({ perHost: { policy: 'fixed', max: 1 }, rate: null, delayMs: { min: 0, max: 0 } }),
    retries: { totalWaitMs: 0, budget: 0 },
    events,
    onReturned: host => void lanes.wake(host),
    idleAfterMs: Number.POSITIVE_INFINITY,
  })
  const told = createWaits({ clock: realClock, events, hosts: gate, room: open, backlog: open, proxies: open })
  const toldReadyAtMs = (host: HostKey): number =>
    told.latest({ hosts: gate.readyAtMs(host), room: 0, proxies: 0, robots: 0, spending: 0 })
  const readyAtMs = isTold ? toldReadyAtMs : gate.readyAtMs
  for (let nth = 0; nth < 256; nth += 1) {
    const url = new URL(`http://h${nth % 128}.test/${nth}`)
    lanes.pushLast(newTask(url.href, url, 'page'))
  }
  const underWay: Permit[] = []
  return cpuMsOf(() => {
    for (let done = 0; done < pages; ) {
      const task = lanes.next(realClock.nowMs(), readyAtMs, isTold ? told : undefined)
      if (task !== null) {
        underWay.push(gate.acquire(task.host))
        lanes.pushLast(task)
        continue
      }
      // All hosts have one under way.
      for (const permit of underWay.splice(0)) {
        lanes.end(permit.host)
        permit.settle(good)
        done += 1
      }
    }
  })
}

/** Of the thread that reads a page, while it does. */
function readingsInStage(): number {
  let readings = 0
  const stage = createStage(stageRules([pageRule('page', { item: { title: 'title' } })]), () => {
    readings += 1
    return readings
  })
  stage.run(parseRequest('<title>a page like others</title>', { page: 'page' }))
  return readings
}

/**
 * Of a fetch its beginning, its first byte and its end; the end of its permit, of which the beginning is known anyway; both
 * ends of parsing and of keeping; when a page enters the queue of the threads and leaves it.
 */
const readingsElsewhere = 3 + 1 + 2 + 2 + 2

function clocksMs(pages: number): number {
  const readings = readingsInStage() + readingsElsewhere
  let sum = 0
  const ms = cpuMsOf(() => {
    for (let nth = 0; nth < pages * readings; nth += 1) sum += realClock.nowMs()
  })
  return sum > 0 ? ms : 0
}

export function stageTimesCost(pages: number): StageTimesCost {
  // A difference of two small figures: in turn, some times, and the least of each, since what others do only adds.
  const costs = [1, 2, 3].map(() => ({ untold: admissionMs(pages, false), told: admissionMs(pages, true) }))
  const [untoldMs, toldMs] = [
    Math.min(...costs.map(({ untold }) => untold)),
    Math.min(...costs.map(({ told }) => told)),
  ]
  return {
    eventsMs: eventsMs(pages) / pages,
    causesMs: Math.max(0, toldMs - untoldMs) / pages,
    clocksMs: clocksMs(pages) / pages,
  }
}

export const stageTimesMs = ({ eventsMs, causesMs, clocksMs }: StageTimesCost): number => eventsMs + causesMs + clocksMs
