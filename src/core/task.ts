import type { HostKey } from './url.ts'

/** The three ledgers of one task: each has its own ceiling and its own reason to end. */
export interface Attempts {
  /** Tries that the page or its host spent. */
  readonly url: number
  /** Tries that a proxy spent. */
  readonly proxy: number
  /** Times the host asked to wait; how long in all is `waitedMs`. */
  readonly waits: number
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
  readonly attempts: Attempts
  /** Time spent waiting because the host asked for it, in all. */
  readonly waitedMs: number
  /** `Clock` time of this process; 0 is now. */
  readonly notBeforeMs: number
}

export const noAttempts: Attempts = { url: 0, proxy: 0, waits: 0 }

export const taskId = (key: string, session: string | null): string => (session === null ? key : `${session} ${key}`)

/** The page rule of seeds that no rule of the job fits: read for links alone. */
export const startPage = 'start'
/** Tasks that fetch a robots file. No page rule may have either name. */
export const robotsPage = 'robots.txt'
