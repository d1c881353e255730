import { createLineFit } from '../analyse/line-fit.ts'
import type { StageSums } from '../analyse/run-endings.ts'
import type { ErrorCode } from '../core/errors.ts'
import { type EventMap, listen } from '../core/events.ts'
import type { HostKey } from '../core/url.ts'
import type { EngineName, UnroutedLinks } from '../core/wire.ts'
import { type AuditReport, createAuditTally } from './audit-tally.ts'
import { gatherStageTimes, type StageSpreads } from './stage-times.ts'

/** Milliseconds that the pages of a run spent in each stage, in all; they overlap, so the sum is not the run's time. */
export interface StageTimes {
  connect: number
  firstByte: number
  body: number
  /** From hand-over to reply, in a queue or being parsed. */
  parse: number
  /** What of `parse` went by before a thread began. */
  parseQueue: number
  /** What of `parse` a thread was busy with it. */
  parseBusy: number
  /** Writes of the output files. */
  sink: number
}

/** What an earlier process left of a run that goes on. */
export interface Resumed {
  readonly done: number
  readonly pending: number
}

export interface RunStats extends Disposable {
  readonly counts: {
    readonly fetches: number
    readonly pages: number
    readonly items: number
    readonly bytesIn: number
    readonly decodedBytes: number
    readonly links: number
    readonly inFlight: number
    readonly peakInFlight: number
    readonly timeouts: number
    readonly restarts: number
    /** Scripts that a field took for JSON and that hold none. */
    readonly brokenBlocks: number
    /** For how long requests were under way, in all. */
    readonly requestMs: number
    readonly sinkWrites: number
  }
  readonly stages: Readonly<StageTimes>
  /** What read the pages. */
  readonly engines: ReadonlySet<EngineName>
  readonly codes: Readonly<Partial<Record<ErrorCode, number>>>
  readonly peakInFlightByHost: ReadonlyMap<HostKey, number>
  /** Null: the run began anew. */
  resumed(): Resumed | null
  audit(): AuditReport
  /** Of all pages, each link as often as it was found; null: there were none. */
  unrouted(): UnroutedLinks | null
  /** What each page made the writes of the output longer; null: nobody can tell. */
  sinkPageMs(): number | null
  stageTimes(): StageSpreads
  /** What was waited for, parsed and kept until now. */
  sums(): StageSums
}

/** How many hosts get a line of their own; a run over a million hosts still has a report. */
const hostCap = 10_000

/** A page that its thread was ended for says no time of its own, and held the thread until then. */
const busyMsOf = ({ cpuMs, parseMs, queuedMs }: EventMap['page.parsed']): number =>
  cpuMs > 0 ? cpuMs : Math.max(0, parseMs - queuedMs)

/** Gathers what the events of one run say; changes nothing. */
export function gatherRunStats(run: string): RunStats {
  const counts = {
    fetches: 0,
    pages: 0,
    items: 0,
    bytesIn: 0,
    decodedBytes: 0,
    links: 0,
    inFlight: 0,
    peakInFlight: 0,
    timeouts: 0,
    restarts: 0,
    brokenBlocks: 0,
    requestMs: 0,
    sinkWrites: 0,
  }
  const stages: StageTimes = { connect: 0, firstByte: 0, body: 0, parse: 0, parseQueue: 0, parseBusy: 0, sink: 0 }
  const engines = new Set<EngineName>()
  const codes: Partial<Record<ErrorCode, number>> = {}
  const peakInFlightByHost = new Map<HostKey, number>()
  const audits = createAuditTally()
  const times = gatherStageTimes(run)
  const writes = createLineFit()
  let unrouted: UnroutedLinks | null = null
  let resumed: Resumed | null = null
  const listener = listen(run, {
    'run.resumed'({ done, pending }) {
      resumed = { done, pending }
    },
    'task.admitted'({ task, hostInFlight }) {
      counts.inFlight += 1
      counts.peakInFlight = Math.max(counts.peakInFlight, counts.inFlight)
      const peak = peakInFlightByHost.get(task.host)
      if (hostInFlight > (peak ?? 0) && (peak !== undefined || peakInFlightByHost.size < hostCap))
        peakInFlightByHost.set(task.host, hostInFlight)
    },
    'task.fetched'({ timing, bodyBytes, heldMs }) {
      counts.requestMs += heldMs
      counts.inFlight -= 1
      counts.fetches += 1
      counts.bytesIn += bodyBytes
      if (timing === null) return
      stages.connect += timing.connectMs
      stages.firstByte += timing.firstByteMs
      stages.body += Math.max(0, timing.totalMs - timing.firstByteMs - timing.connectMs)
    },
    'task.withdrawn'() {
      counts.inFlight -= 1
    },
    'page.parsed'(page) {
      counts.pages += 1
      counts.items += page.items
      counts.links += page.links
      counts.decodedBytes += page.decodedBytes
      if (page.engine !== null) engines.add(page.engine)
      stages.parse += page.parseMs
      stages.parseQueue += page.queuedMs
      stages.parseBusy += busyMsOf(page)
      counts.brokenBlocks += page.brokenBlocks
      if (page.audit !== null) audits.add(page.audit)
      if (page.unrouted !== undefined) {
        const { count, example } = page.unrouted
        unrouted = { count: count + (unrouted?.count ?? 0), example: unrouted?.example ?? example }
      }
    },
    'page.dropped'({ items }) {
      counts.items -= items
    },
    'task.settled'({ fate }) {
      if (fate.kind === 'dead') codes[fate.fault.code] = (codes[fate.fault.code] ?? 0) + 1
    },
    'parse.restarted'({ code }) {
      counts.restarts += 1
      if (code === 'PARSE_TIMEOUT') counts.timeouts += 1
    },
    'sink.wrote'({ items, latencyMs }) {
      // Without a line only the state is kept, which says nothing of the output.
      if (items > 0) writes.record(items, latencyMs)
      counts.sinkWrites += 1
      stages.sink += latencyMs
    },
  })
  return {
    counts,
    stages,
    engines,
    codes,
    peakInFlightByHost,
    resumed: () => resumed,
    audit: audits.report,
    unrouted: () => unrouted,
    sinkPageMs() {
      const eachMs = writes.eachMs()
      // Not every page has something to write, and some have more than their items.
      return eachMs === null ? null : (eachMs * writes.counted) / Math.max(1, counts.pages)
    },
    stageTimes: times.read,
    sums: () => ({ waitMs: times.waitMs(), parseMs: stages.parse, keepMs: times.commitMs() }),
    [Symbol.dispose]() {
      listener[Symbol.dispose]()
      times[Symbol.dispose]()
    },
  }
}
