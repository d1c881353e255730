/**
 * What happened over time, in a bounded number of steps. When they are used up, each two neighbours become one and a
 * step lasts twice as long from then on: a run of a minute and one of a week take the same room, and neither needs to
 * know before how long it will be.
 */
export interface TimeSeries {
  /** Something happened, so many times. */
  count(name: string, atMs: number, by?: number): void
  /** Something was there from then until then: a step holds how many of them there were on average. */
  span(name: string, fromMs: number, untilMs: number): void
  /** From now on there are so many of something: as a span, for what is known only by its changes. */
  level(name: string, atMs: number, value: number): void
  read(untilMs: number): TimeSteps
}

export interface TimeSteps {
  readonly stepMs: number
  /** Of the last step, which may be shorter than the others. */
  readonly lastStepMs: number
  readonly steps: number
  /** What was counted in each step. */
  counts(name: string): readonly number[]
  /** How much of something there was in each step, on average. */
  levels(name: string): readonly number[]
}

/** Even, since they are merged in pairs. More points than this are not seen in a plot. */
const mostSteps = 240
const shortestStepMs = 100

interface Level {
  value: number
  sinceMs: number
}

/** @param startMs where the first step begins */
export function createTimeSeries(startMs: number): TimeSeries {
  const columns = new Map<string, Float64Array>()
  const levels = new Map<string, Level>()
  let stepMs = shortestStepMs

  function columnOf(name: string): Float64Array {
    const known = columns.get(name)
    if (known !== undefined) return known
    const column = new Float64Array(mostSteps)
    columns.set(name, column)
    return column
  }

  function merge(): void {
    for (const column of columns.values()) {
      for (let step = 0; step < mostSteps; step += 2) column[step / 2] = (column[step] ?? 0) + (column[step + 1] ?? 0)
      column.fill(0, mostSteps / 2)
    }
    stepMs *= 2
  }

  const sinceStart = (atMs: number): number => Math.max(0, atMs - startMs)

  function stepOf(sinceStartMs: number): number {
    while (sinceStartMs >= stepMs * mostSteps) merge()
    return Math.floor(sinceStartMs / stepMs)
  }

  function add(name: string, step: number, amount: number): void {
    const column = columnOf(name)
    column[step] = (column[step] ?? 0) + amount
  }

  function span(name: string, fromMs: number, untilMs: number, weight = 1): void {
    const [from, until] = [sinceStart(fromMs), sinceStart(untilMs)]
    const last = stepOf(until)
    for (let step = stepOf(from); step <= last; step += 1) {
      const withinMs = Math.min(until, (step + 1) * stepMs) - Math.max(from, step * stepMs)
      if (withinMs > 0) add(name, step, withinMs * weight)
    }
  }

  function level(name: string, atMs: number, value: number): void {
    const known = levels.get(name)
    if (known === undefined) levels.set(name, { value, sinceMs: atMs })
    else {
      if (known.value !== 0) span(name, known.sinceMs, atMs, known.value)
      known.value = value
      known.sinceMs = atMs
    }
  }

  return {
    count: (name, atMs, by = 1) => add(name, stepOf(sinceStart(atMs)), by),
    span: (name, fromMs, untilMs) => span(name, fromMs, untilMs),
    level,
    read(untilMs) {
      for (const [name, { value }] of levels) level(name, untilMs, value)
      const wholeMs = sinceStart(untilMs)
      const steps = Math.min(mostSteps, Math.max(1, stepOf(wholeMs) + (wholeMs % stepMs > 0 ? 1 : 0)))
      const lastStepMs = Math.max(1, wholeMs - (steps - 1) * stepMs)
      const valuesOf = (name: string): number[] => [...(columns.get(name) ?? new Float64Array(steps)).slice(0, steps)]
      return {
        stepMs,
        lastStepMs,
        steps,
        counts: valuesOf,
        levels: name =>
          valuesOf(name).map((sum, step) => sum / (step === steps - 1 ? Math.min(stepMs, lastStepMs) : stepMs)),
      }
    },
  }
}
