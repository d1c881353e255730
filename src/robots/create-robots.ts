import type { Env } from '../core/clock.ts'
import { type Fault, MillraceError } from '../core/errors.ts'
import { newTask, type Reach, robotsPage, type Task } from '../core/task.ts'
import { type HostKey, hostKey, urlKey, withoutCredentials } from '../core/url.ts'
import { backoffMs } from '../pace/backoff.ts'
import { askedWaitMs, withCharge } from '../pace/retry.ts'
import { namesHost } from '../scope/host-name.ts'
import { findingOf } from './finding.ts'
import { productToken } from './product-token.ts'
import type { Robots } from './robots.ts'

/** RFC 9309, 2.4: no longer than a day. */
const rulesForMs = 86_400_000
/** A host that could not be asked is asked anew for what turns up later; a file that was read is in force so long. */
const unreachableForMs = 600_000
/** RFC 9309, 2.3.1.2: five redirects at least are followed; beyond, the file may count as unavailable. */
const mostHops = 5
/** Tries in all before an origin that fails counts as unreachable, some seconds apart. */
const mostTries = 3
const backoff = { shortestMs: 2_000, longestMs: 30_000 }
/** One that asks to wait is waited for at least so long: its file stands for all of its URLs (see gate/asked-waits.ts). */
const shortestPatienceMs = 60_000
/** Crawl-delay is no part of the RFC, and some files ask for an hour. */
const longestCrawlDelayMs = 60_000
const manyOrigins = 50_000

export interface RobotsOptions {
  readonly env: Env
  /** What requests carry; the files are read for its product token. */
  readonly userAgent: string
  /** Host keys, or host names for every port, whose files are not asked for. */
  readonly ignoreFor: readonly string[]
  /** How long an origin may keep us waiting for its file in all by asking to wait, as it may for a page. */
  readonly totalWaitMs: number
  /** Judged origins that are remembered; the oldest is forgotten, and asked again should it turn up. */
  readonly maxOrigins?: number
}

interface Verdict {
  /** Parsed only by rules that look into it: most files have none. */
  allows(url: string): boolean
  readonly crawlDelayMs: number | null
  readonly untilMs: number
  readonly fault: Fault | null
}

/** `verdict` null: none yet. While an origin is asked again the last one is kept: RFC 9309, 2.3.1.4, lets it serve on. */
interface Origin {
  readonly host: HostKey
  /** Of the task in whose stead its file was asked for. */
  readonly reach: Reach
  readonly isAsked: boolean
  readonly verdict: Verdict | null
}

type OriginKey = string
const originKey = (url: URL): OriginKey => `${url.protocol}//${hostKey(url)}`
const originOf = (task: Task): OriginKey => originKey(new URL(task.askedUrl))

/** Of the URL that a task goes to next, without parsing it: this is asked for each page. */
const originToAsk = ({ url, host }: Task): OriginKey => `${url.slice(0, url.indexOf(':') + 1)}//${host}`

const firstTask = (url: URL, reach: Reach): Task =>
  newTask(`${robotsPage} ${originKey(url)}`, new URL(`/${robotsPage}`, url.origin), robotsPage, { reach })

export function createRobots(options: RobotsOptions): Robots {
  const { env, ignoreFor, maxOrigins = manyOrigins } = options
  const patienceMs = Math.max(shortestPatienceMs, options.totalWaitMs)
  const token = productToken(options.userAgent)
  const origins = new Map<OriginKey, Origin>()
  /** Origins being asked, by host: one host has two where http and https are both in use. */
  const asked = new Map<HostKey, number>()

  function count(host: HostKey, step: 1 | -1): void {
    const number = (asked.get(host) ?? 0) + step
    if (number === 0) asked.delete(host)
    else asked.set(host, number)
  }

  function forgetOldest(): void {
    if (origins.size <= maxOrigins) return
    for (const [key, { isAsked }] of origins) if (!isAsked) return void origins.delete(key)
  }

  /** The verdict on an origin that was asked; null: as unknown as before. */
  function end(key: OriginKey, { host, reach }: Origin, verdict: Verdict | null): null {
    count(host, -1)
    origins.delete(key)
    if (verdict !== null) origins.set(key, { host, reach, isAsked: false, verdict })
    forgetOldest()
    return null
  }

  /** A host that was reachable a day ago keeps its rules for a while; another one is closed. */
  function unreachable({ verdict }: Origin, fault: Fault, nowMs: number): Verdict {
    const untilMs = nowMs + unreachableForMs
    if (verdict !== null && verdict.fault === null) return { ...verdict, untilMs }
    return { allows: () => false, crawlDelayMs: null, untilMs, fault }
  }

  const everything = (nowMs: number): Verdict => ({
    allows: () => true,
    crawlDelayMs: null,
    untilMs: nowMs + rulesForMs,
    fault: null,
  })

  const robots: Robots = {
    judge(task) {
      if (task.page === robotsPage || namesHost(ignoreFor, task.host)) return 'allowed'
      const origin = origins.get(originToAsk(task))
      if (origin === undefined || origin.isAsked || origin.verdict === null) return 'unknown'
      if (origin.verdict.untilMs <= env.clock.nowMs()) return 'unknown'
      // Its address was refused to a link of a stranger, and a seed may name it.
      const { fault } = origin.verdict
      if (fault?.code === 'ADDRESS_REFUSED' && origin.reach === 'public' && task.reach === 'any') return 'unknown'
      return origin.verdict.allows(task.url) ? 'allowed' : 'refused'
    },
    taskFor(task) {
      const url = new URL(task.url)
      const key = originKey(url)
      const known = origins.get(key)
      if (known?.isAsked) throw new MillraceError('INVARIANT', `the robots file of ${key} was asked for twice`)
      origins.set(key, { host: hostKey(url), reach: task.reach, isAsked: true, verdict: known?.verdict ?? null })
      count(hostKey(url), 1)
      return firstTask(url, task.reach)
    },
    isRobotsTask: task => task.page === robotsPage,
    readyAtMs: host => (asked.has(host) ? Number.POSITIVE_INFINITY : 0),
    learn(task, outcome, nowMs) {
      const key = originOf(task)
      const origin = origins.get(key)
      if (!origin?.isAsked) return null
      const finding = findingOf(outcome, token, withoutCredentials(task.url))
      switch (finding.kind) {
        case 'rules': {
          const { rules } = finding
          const allows = (url: string): boolean => rules.allows(new URL(url))
          return end(key, origin, { ...rules, allows, untilMs: nowMs + rulesForMs, fault: null })
        }
        case 'none':
          return end(key, origin, everything(nowMs))
        case 'moved': {
          if (task.hops.length >= mostHops) return end(key, origin, everything(nowMs))
          const url = new URL(finding.url)
          return {
            ...task,
            url: url.href,
            host: hostKey(url),
            reach: finding.reach,
            hops: [...task.hops, urlKey(new URL(task.url))],
          }
        }
        case 'wait': {
          const waitMs = askedWaitMs(task, finding.askedMs, env.random)
          if (task.waitedMs + waitMs > patienceMs) return end(key, origin, unreachable(origin, finding.fault, nowMs))
          return withCharge(task, { kind: 'retry', notBeforeMs: nowMs + waitMs, charge: 'wait' }, nowMs)
        }
        case 'later': {
          const tries = task.attempts.url + 1
          if (tries >= mostTries) return end(key, origin, unreachable(origin, finding.fault, nowMs))
          const notBeforeMs = nowMs + backoffMs(tries, backoff, env.random)
          return withCharge(task, { kind: 'retry', notBeforeMs, charge: 'url' }, nowMs)
        }
        case 'unreadable':
          return end(key, origin, unreachable(origin, finding.fault, nowMs))
        case 'nothing':
          return end(key, origin, origin.verdict)
        default:
          return finding satisfies never
      }
    },
    abandon(task) {
      const key = originOf(task)
      const origin = origins.get(key)
      if (origin?.isAsked) end(key, origin, origin.verdict)
    },
    faultOf: task => origins.get(originKey(new URL(task.url)))?.verdict?.fault ?? null,
    crawlDelayMs(host) {
      if (namesHost(ignoreFor, host)) return null
      const delays = ['http:', 'https:'].map(scheme => origins.get(`${scheme}//${host}`)?.verdict?.crawlDelayMs ?? 0)
      const longestMs = Math.max(...delays)
      return longestMs > 0 ? Math.min(longestMs, longestCrawlDelayMs) : null
    },
  }
  return robots
}
