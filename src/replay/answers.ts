import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import { type Chain, lastPageOf, type RecordedAttempt, type Recording } from './recording.ts'

/** Which recorded attempt answers a task; null: the recording has none of it. */
export type Answers = (task: Task) => RecordedAttempt | null

/**
 * The attempts at a URL of a task as they are to be repeated: those that brought nothing, and then the page. Where the page
 * came more than once, the run was killed before it was kept, or its worker died; what counted in the end was the last one.
 */
function rowOf({ attempts }: Chain, url: string): readonly RecordedAttempt[] {
  const own = attempts.filter(attempt => attempt.url === url)
  const last = own.findLast(({ kind }) => kind === 'page')
  if (last === undefined) return own
  return [
    ...own.slice(
      0,
      own.findIndex(({ kind }) => kind === 'page'),
    ),
    last,
  ]
}

/**
 * A redirect after which nothing came led out of scope, or to a page that another task had. Whether that one is there first
 * this time as well is a matter of luck, so the redirect is taken for the end that it was.
 */
function endingIn(attempt: RecordedAttempt, { attempts }: Chain): RecordedAttempt {
  if (attempt.kind !== 'barren' || attempt.outcome.kind !== 'moved') return attempt
  const { status, timing, url } = attempt.outcome
  if (attempts.some(next => next.url === url)) return attempt
  return { ...attempt, outcome: { kind: 'gone', status, timing } }
}

/**
 * The attempts of a task one after the other, as often as they were made: what a host refused at first it refuses again.
 * Whoever asks more often than the recorded run did gets the last one again.
 */
export function answersInTurn(recording: Pick<Recording, 'chainOf'>): Answers {
  /** How often, by task and URL. */
  const asked = new Map<string, number>()
  return task => {
    const chain = recording.chainOf(task.askedUrl, task.session)
    if (chain === null) return null
    const url = withoutCredentials(task.url)
    const key = `${chain.nth} ${url}`
    const row = rowOf(chain, url)
    const times = asked.get(key) ?? 0
    asked.set(key, times + 1)
    const attempt = row[Math.min(times, row.length - 1)]
    return attempt === undefined ? null : endingIn(attempt, chain)
  }
}

/** The page that came of a task in the end, at once. */
export const answersAtOnce =
  (recording: Pick<Recording, 'chainOf'>): Answers =>
  task => {
    const chain = recording.chainOf(task.askedUrl, task.session)
    return chain === null ? null : lastPageOf(chain)
  }
