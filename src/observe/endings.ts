import type { Ending, LastRequest, LastUrl, Phase, RunEndings, StageSums, TimeSpent } from '../analyse/run-endings.ts'
import type { ErrorCode } from '../core/errors.ts'
import { type EventMap, listen } from '../core/events.ts'
import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'

/** What is gathered of how the URLs of a run end. */
export interface EndingsGatherer extends Disposable {
  /** @param pending URLs without an end */
  read(untilMs: number, pending: number): RunEndings
}

/** More URLs than this are not a few. */
const kept = 64
/** A run over a million hosts still has a report; hosts beyond these count as one. */
const mostHosts = 10_000
const otherHosts = 'other hosts'
/** How far what was spent may lag behind: a part of the run so far, and not less than the other. */
const lagShare = 1 / 256
const shortestLagMs = 20

type Retry = Extract<Fate, { readonly kind: 'retry' }>
type Fetched = EventMap['task.fetched']

const phaseOf: Readonly<Record<Retry['charge'], Phase>> = {
  url: 'backoff',
  wait: 'askedToWait',
  proxy: 'otherProxy',
  thread: 'idle',
  none: 'idle',
}

const neverConnected: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DNS_FAILED', 'CONNECT_FAILED', 'CONNECT_TIMEOUT'])

/** The latest so many of what is added, in order. */
function createLatest<Value>() {
  const values: Value[] = []
  let added = 0
  return {
    add(value: Value): void {
      values[added % kept] = value
      added += 1
    },
    read: (): Value[] => [...values.slice(added % kept), ...values.slice(0, added % kept)],
  }
}

interface Place {
  atMs: number
  nth: number
  spent: TimeSpent
}

type EndFate = Exclude<Fate, Retry | { readonly kind: 'moved' }>

const endOf = (fate: EndFate): string => {
  if (fate.kind === 'dead') return fate.fault.code
  return fate.kind === 'skipped' ? fate.reason : 'done'
}

/**
 * Gathers what the events of one run say of its endings; changes nothing. A URL costs it a few numbers, and nothing is
 * kept of it but of the latest ones: how the time was spent is copied now and then, not for each of them, and it is
 * looked at only where nothing is under way any more, or something is again.
 */
export function gatherEndings(run: string, nowMs: () => number, sums: () => StageSums): EndingsGatherer {
  let startMs = nowMs()
  const phases: Record<Phase, number> = { asking: 0, reading: 0, backoff: 0, askedToWait: 0, otherProxy: 0, idle: 0 }
  const hosts = new Map<string, Place>()
  const last = createLatest<{ readonly task: Task; readonly fate: EndFate; readonly place: Place }>()
  const requests = createLatest<{ readonly fetched: Fetched; readonly atMs: number }>()
  /** The latest tasks that are to be tried again, by id. */
  const retries = new Map<string, Retry>()
  let [asked, visits, ended] = [0, 0, 0]
  let phase: Phase = 'idle'
  let phaseSinceMs = startMs
  let spent = spentUntil(startMs)
  let nextCopyMs = startMs

  function spentUntil(atMs: number): TimeSpent {
    const sofar = { ...phases }
    sofar[phase] += atMs - phaseSinceMs
    return { phases: sofar, ...sums() }
  }

  /** What was until now is of this phase; what is from now on follows from what is under way. */
  function turn(was: Phase): void {
    const atMs = nowMs()
    phases[was] += atMs - phaseSinceMs
    phaseSinceMs = atMs
    if (asked > 0) phase = 'asking'
    else phase = visits > 0 ? 'reading' : 'idle'
  }

  /** Of a time in which nothing was under way, the first that is tells what it was for. */
  const idleFor = ({ id }: Task): Phase => phaseOf[retries.get(id)?.charge ?? 'none']

  function placeOf(host: string): Place {
    const known = hosts.get(host)
    if (known !== undefined) return known
    if (hosts.size > mostHosts) return placeOf(otherHosts)
    const place = { atMs: 0, nth: 0, spent }
    hosts.set(hosts.size === mostHosts ? otherHosts : host, place)
    return place
  }

  function end(task: Task, fate: EndFate): void {
    const atMs = nowMs()
    ended += 1
    if (atMs >= nextCopyMs) {
      spent = spentUntil(atMs)
      nextCopyMs = atMs + Math.max(shortestLagMs, (atMs - startMs) * lagShare)
    }
    last.add({ task, fate, place: { atMs, nth: ended, spent } })
    const place = placeOf(task.host)
    place.atMs = atMs
    place.nth = ended
    place.spent = spent
  }

  function again({ id }: Task, fate: Retry): void {
    retries.delete(id)
    retries.set(id, fate)
    const [oldest] = retries.keys()
    if (retries.size > kept && oldest !== undefined) retries.delete(oldest)
  }

  const listener = listen(run, {
    'run.started'({ atMs }) {
      startMs = atMs
      phaseSinceMs = atMs
    },
    'task.admitted'({ task }) {
      asked += 1
      if (asked === 1) turn(visits === 0 ? idleFor(task) : 'reading')
    },
    'visit.started'({ task }) {
      visits += 1
      if (visits === 1 && asked === 0) turn(idleFor(task))
    },
    'task.fetched'(fetched) {
      asked -= 1
      requests.add({ fetched, atMs: nowMs() })
      if (asked === 0) turn('asking')
    },
    'task.withdrawn'() {
      asked -= 1
      if (asked === 0) turn('asking')
    },
    'visit.ended'() {
      visits -= 1
      if (visits === 0 && asked === 0) turn('reading')
    },
    'task.settled'({ task, fate }) {
      if (fate.kind === 'retry') again(task, fate)
      else if (fate.kind !== 'moved') end(task, fate)
    },
  })

  return {
    read(untilMs, pending) {
      // A run that ends while it waits was waiting for the one that would have been first.
      const open = [...retries.values()].find(({ notBeforeMs }) => notBeforeMs >= untilMs)
      if (phase === 'idle' && open !== undefined) phase = phaseOf[open.charge]
      const endingOf = (host: string, { atMs, nth, spent }: Place): Ending => ({
        host,
        atMs: atMs - startMs,
        nth,
        spent,
      })
      return {
        durationMs: untilMs - startMs,
        ended,
        pending,
        last: last.read().map(({ task, fate, place }) => ({
          ...endingOf(task.host, place),
          ...lastUrlOf(task, fate, place.atMs - startMs),
        })),
        hosts: [...hosts].map(([host, place]) => endingOf(host, place)),
        requests: requests.read().map(({ fetched, atMs }) => lastRequestOf(fetched, atMs - startMs)),
        spent: spentUntil(untilMs),
      }
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}

const lastUrlOf = ({ url, attempts }: Task, fate: EndFate, endedAtMs: number): LastUrl => ({
  url: withoutCredentials(url),
  endedAtMs,
  end: endOf(fate),
  // Attempts are charged to a task that goes again: the last of a URL that ends is not among them.
  attempts: { ...attempts, url: attempts.url + 1 },
})

function lastRequestOf({ task, code, timing, heldMs }: Fetched, endedAtMs: number): LastRequest {
  const connectMs = timing?.connectMs ?? (code !== null && neverConnected.has(code) ? heldMs : 0)
  const firstByteMs = timing?.firstByteMs ?? heldMs - connectMs
  return { url: withoutCredentials(task.url), endedAtMs, heldMs, connectMs, firstByteMs, code }
}
