import type { WaitCause } from '../core/waits.ts'
import type { Ending, LastUrl, Phase, RunEndings, TimeSpent } from './run-endings.ts'
import { saturated } from './run-profile.ts'
import type { Tail, TailCause } from './tail.ts'
import { tailText } from './tail-text.ts'

/**
 * The tail of a run: its last part, in which a few URLs were left while all others had their end. Averages over the whole
 * run tell nothing of it, and are made wrong by it.
 *
 * It begins at the moment s at which it costs most. Of a run that took T, and in which n URLs had ended by s and m were
 * left, the rest would have taken m s / n at the pace of those before; so what the tail costs is
 *
 *     lost(s) = (T - s) - m s / n
 *
 * Moments that are tried: the last endings, and the last ending of each host, after which one host less was left. Since
 * a few milliseconds more or less cost about the same, the fewest URLs are taken that lose nine tenths of the most; and
 * where they are several, all that were left since their hosts were the only ones, if those lose as much. Those who are
 * most of the run are no tail of it (m <= n).
 *
 * A run whose pace is even, as of one host, or of links that are found one by one, loses nothing by this.
 */

/**
 * From this part of the run on the tail is told in a sentence: what is busy all the time before it is then busy too
 * little on average to be seen to bind.
 */
const sizeable = 1 - saturated
/** What a shorter tail costs nobody waits for. */
const leastMs = 1_000
const nearlyAll = 0.9
/** Who stood in line for this part of the tail or more waited for what closed his gate, whatever was under way. */
const mostly = 0.5
const named = 3

interface Cut {
  readonly at: Ending
  readonly left: number
  readonly lostMs: number
}

const round = (value: number): number => Math.round(value * 1000) / 1000

function cutsOf({ durationMs, ended, pending, last, hosts }: RunEndings): readonly Cut[] {
  return [...last, ...hosts].flatMap(at => {
    const left = ended - at.nth + pending
    const lostMs = durationMs - at.atMs - (left * at.atMs) / at.nth
    return left <= at.nth && lostMs > 0 ? [{ at, left, lostMs }] : []
  })
}

/** Hosts that were left, the last one first. */
const hostsAfter = ({ hosts }: RunEndings, nth: number): readonly Ending[] =>
  hosts.filter(host => host.nth > nth).sort((left, right) => right.nth - left.nth)

function dearestOf(run: RunEndings): Cut | null {
  const cuts = cutsOf(run)
  const mostMs = cuts.reduce((most, { lostMs }) => Math.max(most, lostMs), 0)
  const dear = cuts.filter(({ lostMs }) => lostMs >= nearlyAll * mostMs)
  const best = dear.reduce<Cut | null>(
    (fewest, cut) => (fewest === null || cut.left < fewest.left ? cut : fewest),
    null,
  )
  if (best === null || best.left === 1) return best
  const hostCount = hostsAfter(run, best.at.nth).length
  const beforeThem = hostsAfter(run, 0)[hostCount]
  return dear.find(({ at }) => at.nth === beforeThem?.nth) ?? best
}

/** What was spent between two moments, as parts of the time between them. */
function sharesOf<Name extends string>(
  before: Readonly<Record<Name, number>>,
  after: Readonly<Record<Name, number>>,
  spanMs: number,
): Record<Name, number> {
  const names = Object.keys(after) as Name[]
  // A piece counts when it ends: what of it went by before the tail is not of it.
  const shareOf = (name: Name): number => Math.min(1, Math.max(0, (after[name] - before[name]) / spanMs))
  return Object.fromEntries(names.map(name => [name, round(shareOf(name))])) as Record<Name, number>
}

function largestOf<Name extends string>(shares: Readonly<Record<Name, number>>): readonly [Name, number] {
  const [first, ...rest] = Object.entries(shares) as [Name, number][]
  if (first === undefined) throw new RangeError('nothing to choose from')
  return rest.reduce((most, entry) => (entry[1] > most[1] ? entry : most), first)
}

/** What the requests of the tail were at for longest. */
function partOfRequests({ requests }: RunEndings, sinceMs: number): 'connect' | 'firstByte' | 'body' {
  const sums = { connect: 0, firstByte: 0, body: 0 }
  for (const { endedAtMs, heldMs, connectMs, firstByteMs } of requests) {
    const beganMs = endedAtMs - heldMs
    const within = (fromMs: number, untilMs: number): number => Math.max(0, untilMs - Math.max(fromMs, sinceMs))
    const connectedMs = beganMs + connectMs
    sums.connect += within(beganMs, connectedMs)
    sums.firstByte += within(connectedMs, connectedMs + firstByteMs)
    sums.body += within(connectedMs + firstByteMs, endedAtMs)
  }
  // What is not known to be anything else is an answer that did not begin.
  return sums.connect + sums.body === 0 ? 'firstByte' : largestOf(sums)[0]
}

function meanRequestMs({ requests }: RunEndings, sinceMs: number): number | null {
  const since = requests.filter(({ endedAtMs }) => endedAtMs > sinceMs)
  return since.length === 0 ? null : Math.round(since.reduce((sum, { heldMs }) => sum + heldMs, 0) / since.length)
}

function causeOf(
  run: RunEndings,
  at: Ending,
  phases: Record<Phase, number>,
  waits: Record<WaitCause, number>,
): readonly [TailCause, number] {
  const closed = largestOf(waits)
  if (closed[1] >= mostly) return closed
  const [phase, share] = largestOf(phases)
  if (phase === 'asking') return [partOfRequests(run, at.atMs), share]
  if (phase !== 'reading') return [phase, share]
  const sinceOf = (sum: 'parseMs' | 'keepMs'): number => run.spent[sum] - at.spent[sum]
  return [sinceOf('parseMs') > sinceOf('keepMs') ? 'parsing' : 'keeping', share]
}

/** URLs that the end of the run cut off, by their last request. */
const cutOff = ({ requests }: RunEndings): readonly LastUrl[] =>
  requests.flatMap(({ url, endedAtMs, code }) =>
    code === 'ABORTED' ? [{ url, endedAtMs, end: code, attempts: { url: 1, proxy: 0, waits: 0 } }] : [],
  )

function lastUrlsOf(run: RunEndings, { nth }: Ending): readonly LastUrl[] {
  const ended = run.last.filter(ending => ending.nth > nth)
  return [...ended, ...(run.pending > 0 ? cutOff(run) : [])]
    .slice(-named)
    .reverse()
    .map(({ url, endedAtMs, end, attempts }) => ({ url, endedAtMs: Math.round(endedAtMs), end, attempts }))
}

const somethingOf = <Name extends string>(shares: Readonly<Record<Name, number>>): Partial<Record<Name, number>> =>
  Object.fromEntries(Object.entries(shares).filter(([, share]) => (share as number) > 0)) as Partial<
    Record<Name, number>
  >

const since = (run: TimeSpent, { spent }: Ending, spanMs: number) => ({
  phases: sharesOf(spent.phases, run.phases, spanMs),
  waits: sharesOf(spent.waitMs, run.waitMs, spanMs),
})

/** Null: the run had none. */
export function tailOf(run: RunEndings): Tail | null {
  const cut = dearestOf(run)
  if (cut === null) return null
  const { at, left, lostMs } = cut
  const spanMs = run.durationMs - at.atMs
  const { phases, waits } = since(run.spent, at, spanMs)
  const [cause, causeShare] = causeOf(run, at, phases, waits)
  const hosts = hostsAfter(run, at.nth)
  const lostShare = lostMs / Math.max(1, run.durationMs)
  const tail = {
    sinceMs: Math.round(at.atMs),
    durationMs: Math.round(spanMs),
    lostMs: Math.round(lostMs),
    lostShare: round(lostShare),
    urls: left,
    ofUrls: run.ended + run.pending,
    hostCount: hosts.length,
    hosts: hosts.slice(0, named).map(({ host }) => host),
    cause,
    causeShare,
    requestMs: meanRequestMs(run, at.atMs),
    phases,
    waitedFor: somethingOf(waits),
    last: lastUrlsOf(run, at),
  }
  return { ...tail, sentence: lostShare >= sizeable && lostMs >= leastMs ? tailText(tail, run.pending) : null }
}
