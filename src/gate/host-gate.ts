import type { Env } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import { type Gate, mustBeOpen, once } from '../core/gate.ts'
import type { Reading } from '../core/outcome.ts'
import type { HostKey } from '../core/url.ts'
import type { HostPolicy, Retries } from '../job/job.ts'
import { earnRetries, takeRetry } from '../pace/retry-budget.ts'
import { noteAskedWait } from './asked-waits.ts'
import { givenUpFault, givenUpUntilMs, isGivenUp, noteOutcome, whyGivenUp } from './circuit.ts'
import { createDepartures } from './departures.ts'
import type { GroupGate } from './group-gate.ts'
import { isAwaited, noteSent } from './host-pace.ts'
import {
  answerLane,
  createLane,
  endGrant,
  enterLane,
  type HostLane,
  isIdleLane,
  type LaneGrant,
  laneCause,
  laneHasEnough,
  laneReadyAtMs,
  leaveLane,
  underWayOf,
} from './lane.ts'
import { createLaneRecords } from './lane-records.ts'
import {
  type LaneView,
  laneViewOf,
  noteAnswer,
  noteBlockPage,
  noteGrant,
  noteLimit,
  notePause,
  noteReturn,
} from './lane-stats.ts'
import type { HostCare, Permit } from './permit.ts'
import { createRests } from './rests.ts'
import { whyWaits } from './why-waits.ts'

export interface HostGateOptions {
  readonly env: Env
  readonly policyOf: (host: HostKey) => HostPolicy
  readonly retries: Pick<Retries, 'totalWaitMs' | 'budget'>
  readonly events: Events
  /** A permit came back, or one that others waited behind has left or never will: who was told Infinity may ask again. */
  readonly onReturned: (host: HostKey) => void
  /** Bounds over what hosts have in common, asked last: whoever waits for one of them would leave otherwise. */
  readonly groups?: GroupGate
  /** `sweep` forgets lanes that nobody used for longer, where nothing is lost by it. */
  readonly idleAfterMs: number
}

/** Disposing gives back what still rests; permits that are out may be settled afterwards. */
export interface HostGate extends Gate<Permit>, HostCare, Disposable {
  /** Nothing leaves for this host before then. The latest of all pauses wins; they are not added up. */
  pauseUntil(host: HostKey, atMs: number, reason: string): void
  /** Least time between departures, as a robots file asks, where it is longer than the policy's delay. 0: none. */
  spacingMs(host: HostKey, ms: number): void
  /** Why the next request of this host does not leave now. */
  explain(host: HostKey): string
  /** Forgets idle lanes. Looks at each lane; a new lane brings it about once every `idleAfterMs` by itself. */
  sweep(): void
  /** Hosts with a lane, and of those whose lanes were swept the ones with the most answers. */
  views(): readonly LaneView[]
  /** Records of hosts that are not among them any more. */
  readonly droppedViews: number
  readonly laneCount: number
}

const nothingLearnt: Reading = { verdict: 'ignored', firstByteMs: null, retryAfterMs: null, stalled: false }

/** A grant that is out: of its host, and a place in what that host is part of. */
interface Out {
  readonly lane: HostLane
  readonly grant: LaneGrant
  readonly place: Disposable | null
}

/** One lane per host, made when it is first entered. */
export function createHostGate(options: HostGateOptions): HostGate {
  const { env, policyOf, retries, events, onReturned, groups, idleAfterMs } = options
  const { clock, random } = env
  const lanes = new Map<HostKey, HostLane>()
  const records = createLaneRecords()
  const statsOf = records.of
  // Apart from the lanes: a robots file is read once, and lanes come and go.
  const spacings = new Map<HostKey, number>()
  const rests = createRests(clock)
  const departures = createDepartures(env)
  let sweptAtMs = clock.nowMs()

  /** Only new hosts make lanes grow, so that is when idle ones are looked for. */
  function sweepNowAndThen(): void {
    const nowMs = clock.nowMs()
    if (nowMs - sweptAtMs < idleAfterMs) return
    sweptAtMs = nowMs
    sweep()
  }

  function sweep(): void {
    const nowMs = clock.nowMs()
    for (const [host, lane] of lanes) if (isIdleLane(lane, nowMs, idleAfterMs)) lanes.delete(host)
    records.forgetSwept(lanes)
  }

  function laneOf(host: HostKey): HostLane {
    const known = lanes.get(host)
    if (known !== undefined) return known
    sweepNowAndThen()
    const lane = createLane(host, policyOf(host), spacings.get(host) ?? 0, random)
    lanes.set(host, lane)
    // Its record outlives a lane that was swept.
    limited(lane, statsOf(lane).limit, 'anew after idling')
    return lane
  }

  function giveBack({ lane, place }: Out): void {
    leaveLane(lane, clock.nowMs())
    place?.[Symbol.dispose]()
    onReturned(lane.host)
  }

  /** After whatever may let the next go without one that was before it: whoever was told to wait for that one hears of it. */
  function tellUnlessAwaited(lane: HostLane, wasAwaited: boolean): void {
    if (wasAwaited && !isAwaited(lane)) onReturned(lane.host)
  }

  function limited(lane: HostLane, from: number, reason: string): void {
    const { limit: to } = lane.limiter
    if (to === from) return
    noteLimit(statsOf(lane), clock.nowMs(), to, reason)
    events.emit('lane.limit', () => ({ host: lane.host, from, to, reason }))
  }

  function pause(lane: HostLane, untilMs: number, reason: string): void {
    notePause(statsOf(lane), untilMs, reason)
    events.emit('lane.paused', () => ({ host: lane.host, untilMs, reason }))
    departures.closed(lane)
  }

  function settle(out: Out, reading: Reading): void {
    const { lane, grant } = out
    const { limiter, circuit } = lane
    const { limit: from, readyAtMs: readyBeforeMs } = limiter
    const nowMs = clock.nowMs()
    const wasAwaited = isAwaited(lane)
    const restUntilMs = answerLane(lane, grant, reading, nowMs, random)
    const { readyAtMs, reason } = limiter
    const stats = statsOf(lane)
    noteReturn(stats, grant.grantedMs, nowMs)
    noteAnswer(stats, reading, nowMs, random)
    earnRetries(lane.retries, retries.budget)
    limited(lane, from, reason)
    if (readyAtMs > readyBeforeMs) pause(lane, readyAtMs, reason)
    const when = { nowMs, startedMs: grant.grantedMs, pausedUntilMs: readyAtMs }
    const isDead = noteOutcome(circuit, reading, nowMs, retries.totalWaitMs)
    const isNotAwaited = noteAskedWait(circuit.asked, reading, when, retries.totalWaitMs)
    if (isDead || isNotAwaited) pause(lane, givenUpUntilMs(circuit), whyGivenUp(circuit, nowMs))
    if (rests.keep(lane, restUntilMs - nowMs, () => giveBack(out))) tellUnlessAwaited(lane, wasAwaited)
    else giveBack(out)
  }

  /** Nothing was asked of the host. */
  function takeBack(out: Out): void {
    const { lane, grant } = out
    endGrant(lane, grant, random)
    noteReturn(statsOf(lane), grant.grantedMs, clock.nowMs())
    giveBack(out)
  }

  function permitOf(out: Out): Permit {
    const { lane, grant } = out
    let isOut = true
    let unmask = (): void => {}
    function end(reading: Reading, isUnasked = false): void {
      if (!isOut) return
      isOut = false
      departures.drop(lane, grant)
      if (isUnasked) takeBack(out)
      else settle(out, reading)
      const answeredMs = clock.nowMs()
      unmask = once(() => noteBlockPage(statsOf(lane), reading, answeredMs))
    }
    return {
      host: lane.host,
      grantedMs: grant.grantedMs,
      inFlight: underWayOf(lane),
      depart() {
        if (!isOut) return false
        const wasAwaited = isAwaited(lane)
        const turn = departures.join(lane, grant)
        // How long its connection took says how many may look for one at a time: from now on that may be more.
        tellUnlessAwaited(lane, wasAwaited)
        return turn
      },
      get isWithdrawn() {
        return grant.isWithdrawn
      },
      sent() {
        if (!isOut) return
        const wasAwaited = isAwaited(lane)
        noteSent(lane, grant, clock.nowMs(), random)
        tellUnlessAwaited(lane, wasAwaited)
      },
      settle: end,
      unmask: () => unmask(),
      [Symbol.dispose]: () => end(nothingLearnt, grant.isWithdrawn),
    }
  }

  function readyAtMs(host: HostKey): number {
    const lane = lanes.get(host)
    const atMs = lane === undefined ? 0 : laneReadyAtMs(lane)
    if (groups === undefined) return atMs
    if (atMs <= clock.nowMs()) return Math.max(atMs, groups.readyAtMs(host))
    groups.pass(host)
    return atMs
  }

  return {
    get laneCount() {
      return lanes.size
    },
    readyAtMs,
    acquire(host) {
      const nowMs = clock.nowMs()
      mustBeOpen(readyAtMs(host), nowMs, 'the host gate', host)
      const lane = laneOf(host)
      const grant = enterLane(lane, nowMs)
      const stats = statsOf(lane)
      noteGrant(stats, underWayOf(lane), nowMs)
      return permitOf({ lane, grant, place: groups?.acquire(host) ?? null })
    },
    pauseUntil(host, atMs, reason) {
      const lane = laneOf(host)
      if (atMs <= Math.max(lane.pausedUntilMs, clock.nowMs())) return
      lane.pausedUntilMs = atMs
      pause(lane, atMs, reason)
    },
    causeOf(host) {
      const lane = lanes.get(host)
      // One that its own lane does not hold back waits for a place in its groups.
      return lane === undefined ? 'hostSlot' : laneCause(lane, clock.nowMs())
    },
    hasEnough(host, more) {
      const lane = lanes.get(host)
      return lane !== undefined && laneHasEnough(lane, more)
    },
    isGivenUp(host) {
      const lane = lanes.get(host)
      if (lane === undefined || !isGivenUp(lane.circuit, clock.nowMs())) return false
      groups?.pass(host)
      return true
    },
    givenUpFault(task) {
      const lane = lanes.get(task.host)
      const nowMs = clock.nowMs()
      return lane !== undefined && isGivenUp(lane.circuit, nowMs) ? givenUpFault(lane.circuit, task, nowMs) : null
    },
    takeRetry: host => takeRetry(laneOf(host).retries, clock.nowMs(), retries.totalWaitMs),
    explain(host) {
      const lane = lanes.get(host)
      const ofHost =
        lane === undefined
          ? 'nothing in flight, and nothing asked of it of late'
          : whyWaits(lane, statsOf(lane).lastPause, clock.nowMs())
      return [ofHost, ...(groups?.explain(host) ?? [])].join(', ')
    },
    spacingMs(host, ms) {
      if (ms > 0) spacings.set(host, ms)
      else spacings.delete(host)
      const lane = lanes.get(host)
      if (lane === undefined) return
      const wasAwaited = isAwaited(lane)
      lane.spacingMs = ms
      tellUnlessAwaited(lane, wasAwaited)
    },
    sweep,
    views: () =>
      [...records].map(([host, stats]) =>
        laneViewOf(host, stats, lanes.get(host), spacings.get(host) ?? 0, clock.nowMs()),
      ),
    get droppedViews() {
      return records.dropped
    },
    [Symbol.dispose]: rests[Symbol.dispose],
  }
}
