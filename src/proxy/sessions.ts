import type { Exit } from './exit.ts'

/** When an identity is worn out. Infinity: never by this. */
export interface SessionRules {
  readonly maxUses: number
  readonly maxAgeMs: number
  readonly maxBlocks: number
}

/** The present identity of one logical piece of work: an exit, a value for `{session}`, and a cookie jar by its key. */
export interface Identity {
  readonly key: string
  /** What a gateway is told: letters and digits alone. */
  readonly token: string
  readonly exit: Exit
  readonly bornMs: number
  uses: number
  blocks: number
}

/** Sessions of tasks, each under one identity at a time. */
export interface Sessions {
  /** Null: it needs a new one. */
  current(session: string, nowMs: number): Identity | null
  begin(session: string, exit: Exit, nowMs: number): Identity
  /** Its next attempt is somebody else's. */
  retire(session: string): void
  readonly size: number
  readonly retired: number
}

/** As many as there are cookie jars, and some. */
const mostSessions = 10_000
const tokenLength = 10

/** Ten characters of 36: that two of a million are alike has a chance of one in seven thousand. */
export const newToken = (random: () => number): string =>
  Array.from({ length: tokenLength }, () => Math.floor(random() * 36).toString(36)).join('')

export function createSessions(rules: SessionRules, random: () => number): Sessions {
  /** Used last comes last. */
  const identities = new Map<string, Identity>()
  let begun = 0
  let retired = 0

  const isWorn = ({ exit, uses, bornMs, blocks }: Identity, nowMs: number): boolean =>
    exit.isRemoved || uses >= rules.maxUses || nowMs - bornMs >= rules.maxAgeMs || blocks >= rules.maxBlocks

  function retire(session: string): void {
    if (identities.delete(session)) retired += 1
  }

  return {
    current(session, nowMs) {
      const identity = identities.get(session)
      if (identity === undefined) return null
      if (isWorn(identity, nowMs)) {
        retire(session)
        return null
      }
      identities.delete(session)
      identities.set(session, identity)
      return identity
    },
    begin(session, exit, nowMs) {
      begun += 1
      const identity = { key: `${session}#${begun}`, token: newToken(random), exit, bornMs: nowMs, uses: 0, blocks: 0 }
      identities.set(session, identity)
      const [oldest] = identities.keys()
      if (identities.size > mostSessions && oldest !== undefined) identities.delete(oldest)
      return identity
    },
    retire,
    get size() {
      return identities.size
    },
    get retired() {
      return retired
    },
  }
}
