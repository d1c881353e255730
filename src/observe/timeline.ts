import { type EventMap, listen } from '../core/events.ts'
import { robotsPage } from '../core/task.ts'
import { createTimeSeries } from './time-series.ts'

/** What happened in a run over time, in at most some hundred steps of the same length. */
export interface Timeline {
  readonly stepMs: number
  /** Of the last step, which may be shorter than the others. */
  readonly lastStepMs: number
  /** Pages that were read, in each step. */
  readonly pages: readonly number[]
  readonly bytesIn: readonly number[]
  /** Answers of hosts, of any status. */
  readonly answers: readonly number[]
  /** Those that asked to wait or said no (429, 503, 403, a block sign), whoever is blamed for them. */
  readonly refused: readonly number[]
  /** Requests under way, on average over each step. */
  readonly inFlight: readonly number[]
  /** Pages that waited for a thread, and pages that threads were at. */
  readonly parseQueue: readonly number[]
  readonly parsing: readonly number[]
  /** Attempts that failed and pages that could not be read, by code; the rarer codes together as `other`. */
  readonly errors: Readonly<Record<string, readonly number[]>>
}

export interface TimelineGatherer extends Disposable {
  read(untilMs: number): Timeline
}

/** Null: the attempt did not fail, or was cut by us. A host without a robots file is as it should be. */
function failureOf({ task, outcome, code }: EventMap['task.fetched']): string | null {
  if (outcome === 'throttled') return 'THROTTLED'
  if (outcome === 'gone') return task.page === robotsPage ? null : 'HTTP_STATUS'
  return code === 'ABORTED' ? null : code
}

/** More than can be told from each other in a plot. */
const mostCodes = 4

const rounded = (values: readonly number[]): number[] => values.map(value => Math.round(value * 100) / 100)
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function mostFrequent(errors: ReadonlyMap<string, readonly number[]>): Record<string, readonly number[]> {
  const sorted = [...errors].sort(([, left], [, right]) => sumOf(right) - sumOf(left))
  if (sorted.length <= mostCodes + 1) return Object.fromEntries(sorted)
  const [first = [], ...rest] = sorted.slice(mostCodes).map(([, values]) => values)
  const other = first.map((value, step) => value + sumOf(rest.map(values => values[step] ?? 0)))
  return Object.fromEntries([...sorted.slice(0, mostCodes), ['other', other]])
}

/** Gathers what the events of one run say, by when they say it; changes nothing. */
export function gatherTimeline(run: string, nowMs: () => number): TimelineGatherer {
  let series = createTimeSeries(nowMs())
  let inFlight = 0
  let handed = 0
  const codes = new Set<string>()

  function failed(code: string): void {
    codes.add(code)
    series.count(code, nowMs())
  }

  const listener = listen(run, {
    'run.started'({ atMs }) {
      series = createTimeSeries(atMs)
    },
    'task.admitted'() {
      inFlight += 1
      series.level('inFlight', nowMs(), inFlight)
    },
    'task.fetched'(fetched) {
      const { outcome, code, status, bodyBytes } = fetched
      const atMs = nowMs()
      inFlight -= 1
      series.level('inFlight', atMs, inFlight)
      if (bodyBytes > 0) series.count('bytesIn', atMs, bodyBytes)
      // What a proxy says itself is no answer of the host.
      if (status !== null && code !== 'PROXY_FAILED') {
        series.count('answers', atMs)
        if (outcome === 'throttled' || code === 'BLOCKED' || status === 403) series.count('refused', atMs)
      }
      const failure = failureOf(fetched)
      if (failure !== null) failed(failure)
    },
    'task.withdrawn'() {
      inFlight -= 1
      series.level('inFlight', nowMs(), inFlight)
    },
    'page.handed'() {
      handed += 1
      series.level('handed', nowMs(), handed)
    },
    'page.parsed'({ code, parseMs, queuedMs }) {
      const atMs = nowMs()
      handed -= 1
      series.level('handed', atMs, handed)
      series.count('pages', atMs)
      series.span('parsing', atMs - parseMs + queuedMs, atMs)
      if (code !== null) failed(code)
    },
    'page.unmasked'({ code, answeredAtMs }) {
      // With its answer, however late it was read: no step has more refusals than answers.
      if (code === 'BLOCKED') series.count('refused', answeredAtMs)
      failed(code)
    },
  })

  return {
    read(untilMs) {
      const { stepMs, lastStepMs, counts, levels } = series.read(untilMs)
      const parsing = levels('parsing')
      // Counted, and not put together from the times that pages say: those are checked against it.
      const parseQueue = levels('handed').map((level, step) => Math.max(0, level - (parsing[step] ?? 0)))
      return {
        stepMs,
        lastStepMs: Math.round(lastStepMs),
        pages: counts('pages'),
        bytesIn: counts('bytesIn'),
        answers: counts('answers'),
        refused: counts('refused'),
        inFlight: rounded(levels('inFlight')),
        parseQueue: rounded(parseQueue),
        parsing: rounded(parsing),
        errors: mostFrequent(new Map([...codes].map(code => [code, counts(code)]))),
      }
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}
