import type { Asking, HttpCache, Recalled } from '../cache/cache.ts'
import type { Cookies } from '../cookies/cookies.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Timing } from '../core/page.ts'
import type { Reach, Task } from '../core/task.ts'
import { type BodyRules, bodyPlanOf } from './body-plan.ts'
import type { Ending } from './ending.ts'
import type { Recall } from './fetcher.ts'

/** What a stored answer comes to, judged by the rules of today: as if it had just come. */
function endingOf({ status, headers, setCookies, body, from }: Recalled, rules: BodyRules, timing: Timing): Ending {
  const head = { status, headers, setCookies }
  const plan = bodyPlanOf(head, rules)
  if (plan.kind === 'refuse') return { ...plan, kind: 'refused', head, timing }
  if (body.length <= rules.bodyBytes) return { kind: 'answered', head, body, from, timing }
  return { kind: 'refused', code: 'BODY_TOO_LARGE', detail: `${body.length} bytes came`, head, timing }
}

const datedBy = (outcome: Outcome, { cameAt }: Recalled): Outcome =>
  outcome.kind === 'page' ? { ...outcome, page: { ...outcome.page, cameAt } } : outcome

type Classify = (ending: Ending) => Outcome

/** What an attempt comes to, with its cache told of it: where the host says that a stored answer still holds, that one. */
export function learntOf(asking: Asking, ending: Ending, rules: BodyRules, classify: Classify): Outcome {
  if (ending.kind !== 'answered') return classify(ending)
  const stored = asking.learn({ ...ending.head, body: ending.body, from: ending.from })
  return stored === null ? classify(ending) : datedBy(classify(endingOf(stored, rules, ending.timing)), stored)
}

export interface RecallOptions {
  readonly cache: HttpCache
  readonly rules: BodyRules
  readonly cookies: Cookies | undefined
  /** Of a request for the task; null where there can be none. */
  readonly headersOf: (task: Task) => readonly string[] | null
  readonly reachOf: (task: Task) => Reach
  readonly classify: (task: Task, ending: Ending) => Outcome
}

const atOnce: Timing = { connectMs: 0, firstByteMs: 0, totalMs: 0 }

/** The answers of a cache, as outcomes. */
export function createRecall({ cache, rules, cookies, headersOf, reachOf, classify }: RecallOptions): Recall {
  return {
    counts: cache.counts,
    has(task) {
      const headers = headersOf(task)
      return headers !== null && cache.holds({ task, headers })
    },
    forget(task) {
      const headers = headersOf(task)
      if (headers !== null) cache.forget({ task, headers })
    },
    async take(task, grow) {
      const headers = headersOf(task)
      if (headers === null) return null
      // A stranger is shown nothing that came from within our own network, though it came before.
      const isAllowed = ({ from }: Recalled): boolean => reachOf(task) === 'any' || from === 'public'
      const stored = await cache.recall({ task, headers }, isAllowed)
      if (stored === null) return null
      grow(stored.body.length)
      cookies?.keep(task, stored.setCookies)
      return datedBy(classify(task, endingOf(stored, rules, atOnce)), stored)
    },
  }
}
