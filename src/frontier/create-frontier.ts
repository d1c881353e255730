import type { Clock } from '../core/clock.ts'
import { createDeque, findIn, pushLast, takeFirst } from '../core/deque.ts'
import { MillraceError } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import { once } from '../core/gate.ts'
import type { Ledger } from '../core/ledger.ts'
import type { Task } from '../core/task.ts'
import { createTimeHeap } from '../core/time-heap.ts'
import type { HostKey } from '../core/url.ts'
import { withCharge } from '../pace/retry.ts'
import type { Frontier, Next } from './frontier.ts'
import { createLanes } from './lanes.ts'
import type { TaskStore } from './stores/store.ts'
import { isAt, soonestOf } from './whereabouts.ts'
import { createWindow, defaultWindow, everything, type Window, type WindowSize } from './window.ts'

export interface FrontierOptions {
  readonly clock: Clock
  /** Owned by the frontier from now on: disposed with it. */
  readonly store: TaskStore
  readonly ledger: Ledger
  /** Told when what `take` would say may have changed: the sleeper's alarm clock. */
  readonly onReady?: () => void
  /** Whether the answer to a task is at hand, when it falls due: such tasks wait for no host. Default: none is. */
  readonly isAtHand?: (task: Task) => boolean
  /** Whether a host can work at no more than it has, with so many more on top: others go first. Left out: none is. */
  readonly hasEnough?: (host: HostKey, more: number) => boolean
  /** Told when tasks are wanted that no commit has told the store of: one is to follow. */
  readonly onUncommitted?: () => void
  /** How many tasks are held in memory, where the store has a shelf for the others. */
  readonly window?: WindowSize
}

/** Tasks of an earlier process that cross from the store at once. */
const loadedAtOnce = 10_000

interface Changes {
  readonly fates: { readonly task: Task; readonly fate: Fate }[]
  readonly links: Task[]
}

const noChanges = (): Changes => ({ fates: [], links: [] })

export function createFrontier(options: FrontierOptions): Frontier {
  const { clock, store, ledger, onReady = () => {}, isAtHand = () => false, onUncommitted = () => {} } = options
  const lanes = createLanes(clock.nowMs, options.hasEnough)
  const window = windowOn()
  /** Tasks of all hosts whose time has not come: a lane holds due ones only, so a host that waits costs no turn. */
  const later = createTimeHeap<Task>()
  /** The very objects that were handed out: a second settle of one lease is caught even when its URL is out again. */
  const leased = new Set<Task>()
  /** Due tasks that no host is asked for, and those of them that were handed out. */
  const atHand = createDeque<Task>()
  const fromHand = new Set<Task>()
  let holds = 0
  let sequence = 0
  let changes = noChanges()

  const queued = (): number => lanes.queued + atHand.size + later.size + window.shelved

  function windowOn(): Window {
    const { shelf } = store
    if (shelf === undefined) return everything
    const size = options.window ?? defaultWindow
    return createWindow({ shelf, lanes, size, onUncommitted, onLoaded: enqueueAll })
  }

  function enqueueAll(tasks: readonly Task[]): void {
    const nowMs = clock.nowMs()
    for (const task of tasks) enqueue(task, nowMs)
    onReady()
  }

  function enqueue(task: Task, nowMs: number): void {
    if (task.notBeforeMs > nowMs) later.push(task.notBeforeMs, task)
    else if (isAtHand(task)) pushLast(atHand, task)
    else lanes.pushLast(task)
  }

  function releaseDue(nowMs: number): void {
    while (later.firstAtMs <= nowMs) {
      const task = later.pop()
      if (task !== undefined) lanes.pushLast(task)
    }
  }

  function endLease(task: Task, verb: string): void {
    if (!leased.delete(task)) throw new MillraceError('INVARIANT', `${task.url} was ${verb} without being leased`)
    if (!fromHand.delete(task)) lanes.end(task.host)
  }

  function mustAgree(): void {
    const { pending } = ledger.counts
    const held = queued() + leased.size
    if (pending !== held)
      throw new MillraceError('INVARIANT', `the ledger has ${pending} URLs pending, the frontier holds ${held}`)
  }

  function move(from: Task, fate: Fate & { readonly kind: 'moved' }): Fate {
    const { to } = fate
    const isOwn = to.id === from.id || from.hops.includes(to.id)
    if (!isOwn && store.put([to]).length === 0) {
      ledger.skip('redirected-to-known')
      return { kind: 'skipped', reason: 'redirected-to-known' }
    }
    window.changed(to, sequence + 1)
    enqueue(to, clock.nowMs())
    return fate
  }

  function apply(task: Task, fate: Fate): Fate {
    switch (fate.kind) {
      case 'done':
        ledger.end('done')
        return fate
      case 'dead':
        ledger.end('failed')
        return fate
      case 'skipped':
        ledger.skip(fate.reason)
        return fate
      case 'retry': {
        const nowMs = clock.nowMs()
        const charged = withCharge(task, fate, nowMs)
        // What nobody pays for changes nothing that is kept: a task that waits for its proxy comes by here all the time.
        const isKept = fate.charge !== 'none'
        if (isKept) window.changed(charged, sequence + 1)
        const mayBeToBlame = fate.charge === 'url' || fate.charge === 'thread'
        // Another way is free at once, and the page is not to blame: it keeps its turn.
        if (!mayBeToBlame && charged.notBeforeMs <= nowMs) lanes.pushFirst(charged)
        else enqueue(charged, nowMs)
        if (isKept) changes.fates.push({ task: charged, fate })
        return fate
      }
      case 'moved':
        return move(task, fate)
      default:
        return fate satisfies never
    }
  }

  return {
    add(tasks) {
      const fresh = store.put(tasks)
      if (fresh.length === 0) return 0
      ledger.discover(fresh.length)
      for (const task of fresh) changes.links.push(task)
      enqueueAll(fresh.filter(window.keeps))
      return fresh.length
    },
    bury(task, fate) {
      const [buried] = store.put([task])
      if (buried === undefined) return false
      ledger.discover(1)
      if (fate.kind === 'dead') ledger.end('failed')
      else ledger.skip(fate.reason)
      changes.links.push(buried)
      changes.fates.push({ task: buried, fate })
      return true
    },
    async recover() {
      const { pending } = ledger.counts
      if (store.shelf !== undefined && pending > (options.window ?? defaultWindow).total) {
        window.restore(await store.shelf.left())
        return pending
      }
      let count = 0
      for (let tasks = await store.load(loadedAtOnce); tasks.length > 0; tasks = await store.load(loadedAtOnce)) {
        enqueueAll(tasks.filter(window.keeps))
        count += tasks.length
      }
      return count
    },
    has: id => store.has(id),
    find(key) {
      if (!store.hasKey(key)) return { kind: 'unknown' }
      const passes = isAt(key)
      const underWay = leased.values().find(passes)
      if (underWay !== undefined) return { kind: 'leased', task: underWay }
      const answered = findIn(atHand, passes)
      if (answered !== undefined) return { kind: 'at-hand', task: answered }
      const due = lanes.find(passes)
      if (due !== null) return { kind: 'due', task: due }
      const waiting = soonestOf(later.values(), passes)
      return waiting === null
        ? { kind: 'elsewhere', shelved: window.shelved }
        : { kind: waiting.notBeforeMs <= clock.nowMs() ? 'due' : 'later', task: waiting }
    },
    take(readyAtMs, waits): Next {
      const nowMs = clock.nowMs()
      releaseDue(nowMs)
      const task = lanes.next(nowMs, readyAtMs, waits)
      if (task !== null) {
        leased.add(task)
        window.taken(task.host)
        return { kind: 'task', task }
      }
      window.mustBeWhole()
      mustAgree()
      if (queued() + leased.size + holds === 0) return { kind: 'done' }
      return { kind: 'wait', untilMs: Math.min(later.firstAtMs, lanes.nextAtMs) }
    },
    takeAtHand() {
      const task = takeFirst(atHand) ?? null
      if (task === null) return null
      leased.add(task)
      fromHand.add(task)
      window.taken(task.host)
      return task
    },
    putBack(task) {
      endLease(task, 'put back')
      lanes.pushFirst(task)
      onReady()
    },
    settle(task, fate) {
      endLease(task, 'settled')
      const happened = apply(task, fate)
      if (happened.kind !== 'retry') changes.fates.push({ task, fate: happened })
      onReady()
      return happened
    },
    isLeased: task => leased.has(task),
    wake(host) {
      if (lanes.wake(host)) onReady()
      return lanes.sizeOf(host) > 0
    },
    seal() {
      const { fates, links } = changes
      changes = noChanges()
      sequence += 1
      const number = sequence
      return (position, rows = []) => {
        const kept = store.commit({ fates, links, output: { sequence: number, position, rows } })
        window.handedOver({ fates, links, sequence: number })
        return kept
      }
    },
    hold() {
      holds += 1
      const release = once(() => {
        holds -= 1
        onReady()
      })
      return { [Symbol.dispose]: release }
    },
    get open() {
      return holds
    },
    get counts() {
      return ledger.counts
    },
    get size() {
      return { hosts: lanes.hosts, queued: queued(), leased: leased.size }
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
