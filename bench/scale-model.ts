import { createRandom } from '../test/sim/random.ts'

/** A run as a row of servers, with time that is only counted. */
export interface ScaleModel {
  readonly threads: number
  readonly hosts: number
  /** Those that are counted. */
  readonly pages: number
  /**
   * Those before: all hosts begin at once, and until each had its turns the main thread has more to do for pages that are
   * not done yet than it has later on.
   */
  readonly warmUpPages: number
  readonly perHost: number
  /** Of a host, on average; drawn for each request. */
  readonly latencyMs: number
  readonly parseMs: number
  /** Work of the main thread for a page, in three visits: it leaves, it comes, it is kept. */
  readonly mainMs: number
}

export interface ScaleResult {
  readonly pagesPerSecond: number
  readonly mainBusy: number
  readonly workersBusy: number
}

/** Times and what happens then, in flat arrays: objects for millions of events would cost more than the events. */
function createAgenda(capacity: number) {
  const atMs = new Float64Array(capacity)
  const events = new Int32Array(capacity)
  let size = 0

  function swap(a: number, b: number): void {
    const [time = 0, event = 0] = [atMs[a], events[a]]
    atMs[a] = atMs[b] ?? 0
    events[a] = events[b] ?? 0
    atMs[b] = time
    events[b] = event
  }
  const isBefore = (a: number, b: number): boolean => (atMs[a] ?? 0) < (atMs[b] ?? 0)

  return {
    get size() {
      return size
    },
    get firstAtMs() {
      return atMs[0] ?? 0
    },
    push(timeMs: number, event: number): void {
      let at = size
      size += 1
      atMs[at] = timeMs
      events[at] = event
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent)
        at = parent
      }
    },
    pop(): number {
      const event = events[0] ?? 0
      size -= 1
      swap(0, size)
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const least = left + 1 < size && isBefore(left + 1, left) ? left + 1 : left
        if (least >= size || !isBefore(least, at)) return event
        swap(at, least)
        at = least
      }
    },
  }
}

/** A line before some servers, first come, first served; customers are numbers. */
function createLine(servers: number, capacity: number) {
  const ring = new Int32Array(capacity)
  let [head, length, free] = [0, 0, servers]
  return {
    /** True: it is served at once. */
    enter(customer: number): boolean {
      if (free > 0) {
        free -= 1
        return true
      }
      ring[(head + length) % capacity] = customer
      length += 1
      return false
    },
    /** Who is served next; -1: nobody. */
    leave(): number {
      if (length === 0) {
        free += 1
        return -1
      }
      const next = ring[head] ?? 0
      head = (head + 1) % capacity
      length -= 1
      return next
    },
  }
}

/** Steps of a page, in order; each ends with an event. */
const steps = { depart: 0, answer: 1, arrive: 2, parse: 3, keep: 4 } as const
const stepCount = 5
const inMain: readonly boolean[] = [true, false, true, false, true]

/**
 * Every host has as many pages under way as it allows, each its own customer in an endless circle: the main thread lets it
 * go, its host answers, the main thread takes it in and hands it over, a thread parses it, the main thread keeps it. As many
 * as one page for each host wait for threads at most; the others wait with their hosts.
 */
export function simulateScale(model: ScaleModel): ScaleResult {
  const { threads, hosts, pages, warmUpPages, perHost, latencyMs, parseMs, mainMs } = model
  const customers = hosts * perHost
  const random = createRandom(1)
  const drawn = (meanMs: number): number => -meanMs * Math.log(1 - random())
  const agenda = createAgenda(customers + 1)
  const main = createLine(1, customers)
  const workers = createLine(threads, customers)
  let [nowMs, done, mainBusyMs, workersBusyMs] = [0, 0, 0, 0]

  function serve(customer: number, step: number): void {
    if (inMain[step]) {
      mainBusyMs += mainMs / 3
      agenda.push(nowMs + mainMs / 3, customer * stepCount + step)
      return
    }
    const ms = drawn(step === steps.parse ? parseMs : latencyMs)
    if (step === steps.parse) workersBusyMs += ms
    agenda.push(nowMs + ms, customer * stepCount + step)
  }
  /** A customer in the line of the main thread is told with its step, as it comes there three times. */
  function enter(customer: number, step: number): void {
    if (step === steps.answer) serve(customer, step)
    else if (step === steps.parse) {
      if (workers.enter(customer)) serve(customer, step)
    } else if (main.enter(customer * stepCount + step)) serve(customer, step)
  }
  function leave(step: number): void {
    if (step === steps.answer) return
    const next = step === steps.parse ? workers.leave() : main.leave()
    if (next === -1) return
    if (step === steps.parse) serve(next, step)
    else serve(Math.floor(next / stepCount), next % stepCount)
  }

  function playUntil(pagesDone: number): void {
    while (done < pagesDone) {
      nowMs = agenda.firstAtMs
      const event = agenda.pop()
      const step = event % stepCount
      leave(step)
      if (step === steps.keep) done += 1
      enter(Math.floor(event / stepCount), (step + 1) % stepCount)
    }
  }

  for (let customer = 0; customer < customers; customer += 1) enter(customer, steps.depart)
  playUntil(warmUpPages)
  const start = { nowMs, mainBusyMs, workersBusyMs }
  playUntil(warmUpPages + pages)
  const tookMs = nowMs - start.nowMs
  return {
    pagesPerSecond: (pages * 1_000) / tookMs,
    mainBusy: Math.min(1, (mainBusyMs - start.mainBusyMs) / tookMs),
    workersBusy: Math.min(1, (workersBusyMs - start.workersBusyMs) / tookMs / threads),
  }
}
