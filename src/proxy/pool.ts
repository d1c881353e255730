import type { Env } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Events } from '../core/events.ts'
import { type Outcome, verdictOf } from '../core/outcome.ts'
import type { ProxySpec } from '../core/route.ts'
import type { Task } from '../core/task.ts'
import { type HostKey, withoutCredentials } from '../core/url.ts'
import type { BlockSign } from '../core/wire.ts'
import type { ProxyRules } from '../job/job.ts'
import { type Alarm, isAlarmed, newAlarm, noteAlarmFault, noteAlarmGood } from './alarm.ts'
import { createBlameTable } from './blame.ts'
import { createChooser } from './chooser.ts'
import {
  coolDown,
  type Exit,
  type ExitGrant,
  enterExit,
  exitReadyAtMs,
  isUnbroken,
  leaveExit,
  noteComplaint,
  noteFault,
  noteGood,
  noteLie,
} from './exit.ts'
import { createExits } from './exits.ts'
import { createGeoOf, noWayFault } from './geo.ts'
import { blockedOutcome, hintOf, isFinal, latencyOf, lieOutcome, signOutcome, troubledOutcome } from './judge.ts'
import type { Judgement, Proxies, ProxyLease } from './lease.ts'
import { createOutages, givenUpFault } from './outage.ts'
import { createProbation } from './probation.ts'
import { createRouter } from './route-of.ts'
import { createSessions, type Identity } from './sessions.ts'
import { type ProxyView, proxyViewsOf } from './view.ts'
import { whyProxiesWait } from './why-waits.ts'

export interface ProxyPoolOptions {
  readonly env: Env
  readonly events: Events
  readonly rules: Omit<ProxyRules, 'list' | 'blockSigns'>
  readonly specs: readonly ProxySpec[]
  /** How long an attempt may take to its first byte, connecting included: what latencies are measured by. */
  readonly budgetMs: number
  /** Faults that one URL may pay for. */
  readonly retries: number
  /** How long a URL may be kept waiting: what probes cost, and when exits that are all down are given up, follows from it. */
  readonly parkMs: number
  /** A lease came back, or the list changed: whoever was told to wait may ask again. */
  readonly onReturned: () => void
}

export interface ProxyPool extends Proxies {
  /** @returns the labels, made unique */
  add(specs: readonly ProxySpec[]): readonly string[]
  /** Leases that are out still end. False: there is none of that label. */
  remove(label: string): boolean
  views(): readonly ProxyView[]
}

/** Of several exits, without a good answer between them. */
const faultsInRow = 5

/** A lease as the pool remembers it. */
interface Grant extends ExitGrant {
  readonly exit: Exit
  readonly task: Task
  readonly identity: Identity | null
  /** The only one of its region at its host, which has refused that before. */
  readonly isTrial: boolean
}

/** The proxies of a run. Keeps no waiters and no timers: it is asked, and says when to ask again. */
export function createProxyPool(options: ProxyPoolOptions): ProxyPool {
  const { events, rules, budgetMs, onReturned } = options
  const { clock, random } = options.env
  const exits = createExits(rules.regions)
  const geoOf = createGeoOf(rules.geo)
  const sessions = createSessions(rules.session, random)
  const blame = createBlameTable()
  const outages = createOutages(blame.refusalOf, options.parkMs, clock)
  const alarm = newAlarm()
  const regionAlarms = new Map<string, Alarm>()
  const chooser = createChooser({ rotation: rules.rotation, budgetMs, random })
  const routeOf = createRouter(rules.connection, random)
  const probation = createProbation(() => exits.all, random)
  let inFlight = 0
  let turn = 0
  let isParked = false
  exits.add(options.specs)

  const alarmed = (): boolean => isAlarmed(alarm, exits.all.length, Math.min(faultsInRow, Math.max(1, options.retries)))

  function exitReadyFor(exit: Exit, host: HostKey, isAlarm: boolean): number {
    if (isAlarm && inFlight >= probation.most) return Number.POSITIVE_INFINITY
    const probeAtMs = exit.coolDown === null ? 0 : probation.readyAtMs(exit)
    return Math.max(exitReadyAtMs(exit, rules.perProxy), probeAtMs, blame.avoidedUntilMs(host, exit.region))
  }

  function firstReadyMs(list: readonly Exit[], host: HostKey, nowMs: number): number {
    const isAlarm = alarmed()
    let firstMs = Number.POSITIVE_INFINITY
    for (const exit of list) {
      if (firstMs <= nowMs) break
      // Of very many that are left alone the next one matters, and no other is looked into.
      if ((exit.coolDown?.untilMs ?? 0) < firstMs) firstMs = Math.min(firstMs, exitReadyFor(exit, host, isAlarm))
    }
    return firstMs
  }

  const exitsFor = (task: Task): readonly Exit[] => exits.forGeo(geoOf(task))

  /** Its exit must be well, and welcome at the host: a session does not wait for one that is not. */
  function identityOf(task: Task, nowMs: number): Identity | null {
    const identity = task.session === null ? null : sessions.current(task.session, nowMs)
    if (identity === null) return null
    const { exit } = identity
    return exit.coolDown === null && blame.avoidedUntilMs(task.host, exit.region) <= nowMs ? identity : null
  }

  function readyForMs(task: Task): number {
    const nowMs = clock.nowMs()
    const identity = identityOf(task, nowMs)
    return firstReadyMs(identity === null ? exitsFor(task) : [identity.exit], task.host, nowMs)
  }

  function enter(task: Task, nowMs: number): Grant {
    const known = identityOf(task, nowMs)
    const isAlarm = alarmed()
    const open = exitsFor(task).filter(exit => exitReadyFor(exit, task.host, isAlarm) <= nowMs)
    const exit = known?.exit ?? chooser.choose(open, task, nowMs)
    if (exit === undefined)
      throw new MillraceError('INVARIANT', `the proxies were entered for ${withoutCredentials(task.url)} while closed`)
    if (known === null && task.session !== null) sessions.retire(task.session)
    const identity = known ?? (task.session === null ? null : sessions.begin(task.session, exit, nowMs))
    if (identity !== null) identity.uses += 1
    turn += 1
    inFlight += 1
    const grant = enterExit(exit, turn, nowMs)
    probation.entered(exit, grant)
    return { ...grant, exit, task, identity, isTrial: blame.entered(task.host, exit.region) }
  }

  function leave(grant: Grant, wasUsed = true): void {
    const { exit, task, identity } = grant
    inFlight -= 1
    leaveExit(exit, grant, wasUsed)
    if (identity !== null && !wasUsed) identity.uses -= 1
    if (grant.isTrial) blame.tried(task.host, exit.region)
    probation.left(exit, grant)
    onReturned()
  }

  /** It is left alone from now on. */
  function paused(exit: Exit, reason: string): void {
    const { label, region, coolDown } = exit
    probation.failed(exit, clock.nowMs())
    events.emit('proxy.paused', () => ({ proxy: label, region, untilMs: coolDown?.untilMs ?? clock.nowMs(), reason }))
    if (isParked || exits.all.some(other => other.coolDown === null)) return
    isParked = true
    events.emit('proxies.parked', () => ({ reason: whyProxiesWait(exits.all, clock.nowMs()) ?? reason }))
  }

  function resumed(exit: Exit, nowMs: number): void {
    isParked = false
    probation.isBack(exit, nowMs)
    events.emit('proxy.resumed', () => ({ proxy: exit.label, region: exit.region }))
  }

  /**
   * While nothing works a fault is no URL's, and one that was lent for a probe does not pay for it; but not for ever, or a
   * host that no proxy may go to would keep its own. Where nothing is left that the task may take, giving it up is the end.
   */
  function isFree({ exit, isProbe, task }: Grant, nowMs: number): boolean {
    const isAlarm = alarmed()
    if (!isAlarm && !isProbe) return false
    const sinceMs = isAlarm ? alarm.sinceMs : (exit.coolDown?.sinceMs ?? nowMs)
    return nowMs - sinceMs < options.parkMs || (isUnbroken(exit) && outages.of(exitsFor(task), task.host) !== null)
  }

  function fault(grant: Grant, outcome: Outcome & { readonly kind: 'failed' }): Judgement {
    const { exit, task } = grant
    const nowMs = clock.nowMs()
    const failure = outcome.proxyFailure ?? 'connect'
    noteAlarmFault(alarm, exit, grant.grantedMs, nowMs)
    exit.lastFault = failure
    if (noteFault(exit, grant, failure, alarmed(), nowMs, random)) paused(exit, `${failure}, ${exit.row} in a row`)
    noteRegionFault(exit, grant, failure, nowMs)
    chooser.avoid(task, exit)
    return { outcome, isFree: isFree(grant, nowMs) }
  }

  /** Its neighbours are left alone with it where none of them works. */
  function noteRegionFault({ region }: Exit, { grantedMs, exit }: Grant, failure: string, nowMs: number): void {
    const own = regionAlarms.get(region) ?? newAlarm()
    regionAlarms.set(region, own)
    noteAlarmFault(own, exit, grantedMs, nowMs)
    const neighbours = exits.all.filter(other => other.region === region)
    if (neighbours.length < 2 || !isAlarmed(own, neighbours.length, faultsInRow)) return
    for (const other of neighbours)
      if (other.coolDown === null) {
        coolDown(other, nowMs, random)
        paused(other, `${failure}, ${own.row} in a row in ${region}`)
      }
  }

  function answered(grant: Grant, outcome: Outcome, complaint: 'block' | 'trouble' | null): Judgement {
    const { exit, task, identity } = grant
    const { region } = exit
    const nowMs = clock.nowMs()
    const latencyMs = latencyOf(outcome)
    noteAlarmGood(alarm, grant.grantedMs)
    noteAlarmGood(regionAlarms.get(region) ?? alarm, grant.grantedMs)
    if (noteGood(exit, grant, latencyMs, verdictOf(outcome) === 'timeout', nowMs)) resumed(exit, nowMs)
    const blamed = blame.note(task.host, region, complaint, nowMs)
    if (complaint === null) {
      chooser.forget(task)
      return { outcome, isFree: false }
    }
    if (complaint === 'block' && blamed !== 'host' && identity !== null) identity.blocks += 1
    if (blamed === 'region') noteComplaint(exit, complaint === 'block' ? 'block' : 'timeout', nowMs)
    chooser.avoid(task, exit)
    // While nobody knows whose it is another exit is asked, where the URL would end. A 429 is tried again anyway.
    const isOthers = blamed === 'open' && isFinal(outcome) && exitsFor(task).length > 1
    if (complaint === 'trouble') {
      const isElsewhere = blamed === 'region' || isOthers
      return { outcome: isElsewhere ? troubledOutcome(task, region, outcome) : outcome, isFree: false }
    }
    const isElsewhere = isOthers || (blamed === 'region' && exitsFor(task).length > 1)
    return { outcome: isElsewhere ? blockedOutcome(task, region, outcome) : outcome, isFree: false }
  }

  function settle(grant: Grant, outcome: Outcome): Judgement {
    const hint = hintOf(outcome)
    leave(grant)
    if (hint.kind === 'fault' && outcome.kind === 'failed') return fault(grant, outcome)
    return hint.kind === 'answered' ? answered(grant, outcome, hint.complaint) : { outcome, isFree: false }
  }

  function unmask(grant: Grant, outcome: Outcome, { name, isLie }: BlockSign): Judgement {
    const { exit, task, identity } = grant
    const nowMs = clock.nowMs()
    chooser.avoid(task, exit)
    if (isLie) {
      exit.lastFault = `lie: "${name}"`
      if (noteLie(exit, grant, nowMs, random)) paused(exit, `pages of its own, by the sign "${name}"`)
      return { outcome: lieOutcome(task, exit.label, name, outcome), isFree: grant.isProbe && isFree(grant, nowMs) }
    }
    const blamed = blame.amend(task.host, exit.region, nowMs)
    if (blamed === 'region') noteComplaint(exit, 'block', nowMs)
    if (blamed !== 'host' && identity !== null) identity.blocks += 1
    return { outcome: signOutcome(task, name, outcome), isFree: false }
  }

  return {
    readyAtMs(host) {
      const nowMs = clock.nowMs()
      const atMs = exits.areOpen ? 0 : firstReadyMs(exits.all, host, nowMs)
      return atMs > nowMs && outages.givenUp(exits.all, host) !== null ? 0 : atMs
    },
    readyForMs,
    geoOf,
    faultOf(task) {
      // An empty list may be filled again; a place that nobody offers is a mistake.
      const own = exitsFor(task)
      const lost = outages.givenUp(own, task.host)
      if (lost !== null) return givenUpFault(lost, task)
      return exits.isEmpty || own.length > 0 ? null : noWayFault(task, geoOf(task))
    },
    acquire(task): ProxyLease {
      const grant = enter(task, clock.nowMs())
      let isOut = true
      return {
        route: routeOf(grant.exit, grant.identity),
        settle(outcome) {
          if (!isOut) return { outcome, isFree: false }
          isOut = false
          return settle(grant, outcome)
        },
        unmask: (outcome, sign) => unmask(grant, outcome, sign),
        [Symbol.dispose]() {
          if (isOut) leave(grant, false)
          isOut = false
        },
      }
    },
    explain: () => whyProxiesWait(exits.all, clock.nowMs()),
    add(specs) {
      const labels = exits.add(specs)
      isParked = false
      onReturned()
      return labels
    },
    remove(label) {
      const isFound = exits.remove(label)
      onReturned()
      return isFound
    },
    views: () => proxyViewsOf(exits.all, blame.tallies(), budgetMs, clock.nowMs()),
  }
}
