import type { HostKey } from '../core/url.ts'
import { chanceOf, type Tally } from './fisher.ts'
import type { Closure } from './outage.ts'

/**
 * Whether a region of proxies is to blame for what a host does to it, or the host.
 *
 * For each host and region the answers of the last one to two minutes are counted, and how many of them were a block
 * (403, 429, 503, a block sign) or trouble (a time-out, a lost connection, a 5xx). A complaint is put on
 *
 *     region   when its density there stands out from that of all other regions at the same host: Fisher's exact test,
 *              one-sided, p < 0.01 / number of regions (Bonferroni: so many comparisons are made)
 *     host     when the others, asked 8 times at least, get such answers too, and it hardly has more of them (p > 0.1):
 *              everybody sees it
 *     open     as long as neither is shown
 *
 * A region that stood out is left alone at this host for a growing time. What it is asked first after that is a
 * probe: one more complaint needs no statistics, and one good answer clears it.
 */
export type Complaint = 'block' | 'trouble'
export type Blamed = 'region' | 'host' | 'open'

type Counts = { -readonly [K in Complaint]: number } & { trials: number }

interface Cell {
  /** Of this span of time and of the one before. */
  now: Counts
  before: Counts
  spanEndsMs: number
  /** How often in a row it was left alone; 0: in good standing. */
  step: number
  avoidedUntilMs: number
  /** Null: in good standing. */
  refusal: Closure | null
  /** A probe of it is out. */
  isProbed: boolean
}

export interface RegionTally {
  readonly host: HostKey
  readonly region: string
  readonly blocked: number
  readonly answers: number
}

/** Counts, and says who is to blame. */
export interface BlameTable {
  /** An attempt ended; null: well. @returns who is to blame for the complaint, `host` where there is none */
  note(host: HostKey, region: string, complaint: Complaint | null, nowMs: number): Blamed
  /** The last good one was a block after all. */
  amend(host: HostKey, region: string, nowMs: number): Blamed
  /** Until when attempts to this host do not go through this region; at most now: they may. */
  avoidedUntilMs(host: HostKey, region: string): number
  /** Null: the region is in good standing at the host. */
  refusalOf(host: HostKey, region: string): Closure | null
  /** A lease was given. True: the region is on trial at the host, and it is the only one until `tried`. */
  entered(host: HostKey, region: string): boolean
  tried(host: HostKey, region: string): void
  /** Of the whole run, the hosts that were asked most first. */
  tallies(): readonly RegionTally[]
}

const spanMs = 60_000
const significance = 0.01
const alike = 0.1
const fewestOthers = 3
const enoughOthers = 8
const firstAvoidMs = 30_000
const longestAvoidMs = 600_000
const mostHosts = 10_000

const noCounts = (): Counts => ({ block: 0, trouble: 0, trials: 0 })

function roll(cell: Cell, nowMs: number): void {
  if (nowMs < cell.spanEndsMs) return
  cell.before = nowMs < cell.spanEndsMs + spanMs ? cell.now : noCounts()
  cell.now = noCounts()
  cell.spanEndsMs = nowMs + spanMs
}

function tallyOf(cell: Cell, complaint: Complaint): Tally {
  return { hits: cell.now[complaint] + cell.before[complaint], trials: cell.now.trials + cell.before.trials }
}

const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((all, { hits, trials }) => ({ hits: all.hits + hits, trials: all.trials + trials }), {
    hits: 0,
    trials: 0,
  })

/** The test alone. */
function blamedBy(region: Tally, others: readonly Tally[]): Blamed {
  const rest = sum(others)
  if (rest.trials < fewestOthers) return 'open'
  const chance = chanceOf(region, rest)
  if (chance < significance / (others.length + 1)) return 'region'
  return rest.hits > 0 && rest.trials >= enoughOthers && chance > alike ? 'host' : 'open'
}

export function createBlameTable(): BlameTable {
  const hosts = new Map<HostKey, Map<string, Cell>>()
  /** Of the whole run. */
  const totals = new Map<HostKey, Map<string, { blocked: number; answers: number }>>()

  function cellOf(host: HostKey, region: string): Cell {
    let cells = hosts.get(host)
    if (cells === undefined) {
      cells = new Map()
      hosts.set(host, cells)
      const [oldest] = hosts.keys()
      if (hosts.size > mostHosts && oldest !== undefined) {
        hosts.delete(oldest)
        totals.delete(oldest)
      }
    }
    let cell = cells.get(region)
    if (cell === undefined) {
      const standing = { step: 0, avoidedUntilMs: 0, refusal: null, isProbed: false }
      cell = { now: noCounts(), before: noCounts(), spanEndsMs: 0, ...standing }
      cells.set(region, cell)
    }
    return cell
  }

  function totalOf(host: HostKey, region: string): { blocked: number; answers: number } {
    const regions = totals.get(host) ?? new Map<string, { blocked: number; answers: number }>()
    totals.set(host, regions)
    const total = regions.get(region) ?? { blocked: 0, answers: 0 }
    regions.set(region, total)
    return total
  }

  function othersOf(host: HostKey, region: string, complaint: Complaint, nowMs: number): readonly Tally[] {
    return [...(hosts.get(host) ?? [])].flatMap(([name, cell]) => {
      if (name === region) return []
      roll(cell, nowMs)
      return tallyOf(cell, complaint)
    })
  }

  function judge(host: HostKey, region: string, cell: Cell, complaint: Complaint, nowMs: number): Blamed {
    // On trial, or with the answers of before it stood out still coming in.
    if (cell.step > 0) {
      if (cell.avoidedUntilMs <= nowMs) avoid(cell, complaint, nowMs)
      return 'region'
    }
    const blamed = blamedBy(tallyOf(cell, complaint), othersOf(host, region, complaint, nowMs))
    if (blamed === 'region') avoid(cell, complaint, nowMs)
    return blamed
  }

  function avoid(cell: Cell, complaint: Complaint, nowMs: number): void {
    const { sinceMs } = cell.refusal ?? { sinceMs: nowMs }
    const code = complaint === 'block' ? 'BLOCKED' : 'PROXY_FAILED'
    const reason = `${complaint} at this host`
    cell.refusal = { sinceMs, failedAtMs: nowMs, failures: cell.step + 1, code, reason }
    cell.avoidedUntilMs = nowMs + Math.min(firstAvoidMs * 2 ** cell.step, longestAvoidMs)
    cell.step += 1
  }

  return {
    note(host, region, complaint, nowMs) {
      const cell = cellOf(host, region)
      roll(cell, nowMs)
      cell.now.trials += 1
      const total = totalOf(host, region)
      total.answers += 1
      if (complaint === 'block') total.blocked += 1
      if (complaint === null) {
        // Answers from before do not clear it.
        if (cell.step > 0 && cell.avoidedUntilMs <= nowMs) {
          cell.step = 0
          cell.refusal = null
        }
        return 'host'
      }
      cell.now[complaint] += 1
      return judge(host, region, cell, complaint, nowMs)
    },
    amend(host, region, nowMs) {
      const cell = cellOf(host, region)
      roll(cell, nowMs)
      cell.now.block += 1
      // Its span may have ended since it was counted.
      cell.now.trials = Math.max(cell.now.trials, cell.now.block)
      totalOf(host, region).blocked += 1
      return judge(host, region, cell, 'block', nowMs)
    },
    avoidedUntilMs(host, region) {
      const cell = hosts.get(host)?.get(region)
      if (cell === undefined || cell.step === 0) return 0
      return cell.isProbed ? Number.POSITIVE_INFINITY : cell.avoidedUntilMs
    },
    refusalOf: (host, region) => hosts.get(host)?.get(region)?.refusal ?? null,
    entered(host, region) {
      const cell = hosts.get(host)?.get(region)
      if (cell === undefined || cell.step === 0) return false
      cell.isProbed = true
      return true
    },
    tried(host, region) {
      const cell = hosts.get(host)?.get(region)
      if (cell !== undefined) cell.isProbed = false
    },
    tallies: () =>
      [...totals]
        .flatMap(([host, regions]) => [...regions].map(([region, total]) => ({ host, region, ...total })))
        .sort((left, right) => right.answers - left.answers),
  }
}
