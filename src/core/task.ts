import type { ErrorCode } from './errors.ts'
import { type HostKey, hostKey } from './url.ts'
import type { JsonObject } from './wire.ts'

/** The three ledgers of one task: each has its own ceiling and its own reason to end. */
export interface Attempts {
  /** Tries that the page or its host spent. */
  readonly url: number
  /** Tries that a proxy spent. */
  readonly proxy: number
  /** Times the host asked to wait; how long in all is `waitedMs`. */
  readonly waits: number
}

/**
 * Which addresses a task may lead to. A seed may name any, those of one's own network among them. What a page of the
 * public web names is `public`: a stranger could otherwise have us ask hosts that only we can reach.
 */
export type Reach = 'any' | 'public'

/** What an attempt ended with that is made again. */
export interface AttemptCause {
  readonly code: ErrorCode
  readonly status: number | null
}

/** One URL of a job. */
export interface Task {
  /** Equal id, same work: the URL's key, and the session where there is one. */
  readonly id: string
  /** Absolute, exactly as it will be sent. After a redirect this is where it leads. */
  readonly url: string
  /** The URL as the seed or the link gave it: what `_url` of an item says. */
  readonly askedUrl: string
  readonly host: HostKey
  /** Name of the page rule. */
  readonly page: string
  /** Links followed since a seed. */
  readonly depth: number
  /** Redirects followed since `askedUrl`, as ids. */
  readonly hops: readonly string[]
  /** Sticky identity (proxy exit, cookies) shared by the tasks of one logical piece of work. */
  readonly session: string | null
  /** Where its exit should be, for proxies that have a choice. Inherited by the links of its page. */
  readonly geo: string | null
  /** What the user noted beside the seed; read by fields and modules, and inherited by the links of its page. */
  readonly meta: JsonObject | null
  /** Tasks of a higher number go before the others of their host. Inherited by nothing. */
  readonly priority: number
  readonly reach: Reach
  readonly attempts: Attempts
  /** Time spent waiting because the host asked for it, in all. */
  readonly waitedMs: number
  /** Worker threads that died with its page; left out: none. */
  readonly threadDeaths?: number
  /** `Clock` time of this process; 0 is now. */
  readonly notBeforeMs: number
  /** What its last attempt ended with, where this process made it and it is made again. */
  readonly cause?: AttemptCause
  /** Number of its row, in stores that number their tasks. */
  readonly row?: number
}

export const noAttempts: Attempts = { url: 0, proxy: 0, waits: 0 }

/** A task at its beginning: asked for as `url`, tried never, due now. `more` says what else is known of it. */
export const newTask = (id: string, url: URL, page: string, more: Partial<Task> = {}): Task => ({
  id,
  url: url.href,
  askedUrl: url.href,
  host: hostKey(url),
  page,
  depth: 0,
  hops: [],
  session: null,
  geo: null,
  meta: null,
  priority: 0,
  reach: 'any',
  attempts: noAttempts,
  waitedMs: 0,
  notBeforeMs: 0,
  ...more,
})

export const taskId = (key: string, session: string | null): string => (session === null ? key : `${session} ${key}`)
/** Of the URL that a task is at: its id without the session that stands before it. */
export const keyOfId = (id: string, session: string | null): string =>
  session === null ? id : id.slice(session.length + 1)

/** The page rule of seeds that no rule of the job fits: read for links alone. */
export const startPage = 'start'
/** Tasks that fetch a robots file. No page rule may have either name. */
export const robotsPage = 'robots.txt'
/** Sitemaps are tasks of this rule, or of `sitemap 2` and so on where several seeds want different things of theirs. */
export const sitemapPage = 'sitemap'
export const isSitemapPage = (page: string): boolean => /^sitemap(?: \d+)?$/.test(page)
/** Robots files and sitemaps say where pages are, and are none. */
export const isSourcePage = (page: string): boolean => page === robotsPage || isSitemapPage(page)
/** sitemaps.org allows a file as much, unpacked. What is beyond is left out. */
export const sitemapFileBytes = 50 * 1024 * 1024
/** RFC 9309, 2.5: a parser reads 500 KiB at least. What is beyond is not rules that a person wrote. */
export const robotsFileBytes = 500 * 1024
