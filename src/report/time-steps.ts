import type { Timeline } from '../observe/timeline.ts'

/** The steps of a timeline as plots need them: all of the same length, but for the last one. */
export interface TimeSteps {
  readonly columns: readonly (readonly [fromMs: number, untilMs: number])[]
  perSecond(counts: readonly number[]): number[]
  /** Each value where its step has its middle. */
  points(values: readonly number[]): (readonly [atMs: number, value: number])[]
}

export function timeStepsOf({ stepMs, lastStepMs, pages }: Timeline, durationMs: number): TimeSteps {
  const last = pages.length - 1
  const columns = pages.map((_, step) => [step * stepMs, Math.min(durationMs, (step + 1) * stepMs)] as const)
  // A rate over hardly any time is none.
  const isTold = (step: number): boolean => step < last || last === 0 || lastStepMs >= stepMs / 2
  return {
    columns,
    perSecond: counts =>
      counts.map((count, step) => (count * 1000) / (step === last ? Math.min(stepMs, lastStepMs) : stepMs)),
    points: values =>
      columns.flatMap(([from, until], step) => (isTold(step) ? [[(from + until) / 2, values[step] ?? 0]] : [])),
  }
}

/** A share of fewer answers than these says little. */
const leastAnswers = 20

/** What of the last answers was refused: of those in a step, and of those before it where there are too few. */
export const refusedShares = ({ answers, refused }: Timeline): number[] =>
  answers.map((_, step) => {
    let [of, no] = [0, 0]
    for (let back = step; back >= 0 && of < leastAnswers; back -= 1) {
      of += answers[back] ?? 0
      no += refused[back] ?? 0
    }
    return no / Math.max(1, of)
  })
