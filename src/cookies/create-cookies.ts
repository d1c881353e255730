import type { Clock } from '../core/clock.ts'
import type { Task } from '../core/task.ts'
import type { Cookies } from './cookies.ts'
import { createJar, type Jar } from './jar.ts'

export interface CookiesOptions {
  readonly clock: Clock
  /** Whether tasks without a session share a jar, or have no cookies at all. */
  readonly withoutSession: boolean
  /** Jars that are held; the one used longest ago is forgotten. Default: 1,000. */
  readonly maxJars?: number
  /** Cookies in all of them; jars are forgotten in the same order. Default: 20,000. */
  readonly maxCookies?: number
}

const ceilings = { maxJars: 1_000, maxCookies: 20_000 }

/** A jar for each session: what one identity was given is never shown by another. */
export function createCookies(options: CookiesOptions): Cookies {
  const { clock, withoutSession, maxJars, maxCookies } = { ...ceilings, ...options }
  /** Used last comes last. */
  const jars = new Map<string | null, Jar>()
  let size = 0

  const isOff = (task: Task): boolean => task.session === null && !withoutSession

  function use(session: string | null): Jar | undefined {
    const jar = jars.get(session)
    if (jar === undefined) return undefined
    jars.delete(session)
    jars.set(session, jar)
    return jar
  }

  function open(session: string | null): Jar {
    const jar = createJar()
    jars.set(session, jar)
    return jar
  }

  function forgetBeyondCeilings(): void {
    for (const [session, jar] of jars) {
      if (jars.size <= maxJars && (size <= maxCookies || jars.size === 1)) return
      jars.delete(session)
      size -= jar.size
    }
  }

  return {
    get size() {
      return size
    },
    headerFor: task => (isOff(task) ? null : (use(task.session)?.headerFor(task.url) ?? null)),
    keep(task, setCookies) {
      if (setCookies.length === 0 || isOff(task)) return
      const jar = use(task.session) ?? open(task.session)
      const nowMs = Date.parse(clock.wallIso())
      const before = jar.size
      for (const setCookie of setCookies) jar.keep(task.url, setCookie, nowMs)
      size += jar.size - before
      forgetBeyondCeilings()
    },
  }
}
