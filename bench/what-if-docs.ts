import { tableOf, writeFigures } from './docs-figures.ts'
import { machine } from './machine.ts'
import type { RealTrial } from './what-if-real.ts'

/** One prediction of a run in simulated time that was made come true. */
export interface Trial {
  readonly scenario: string
  readonly kind: string
  readonly change: string
  readonly now: number
  readonly predicted: number
  readonly came: number
  /** Of what came. */
  readonly error: number
  readonly isAtMost: boolean
}

export interface WhatIfFigures {
  readonly seed: number
  readonly rounds: number
  /** By scenario. */
  readonly simulated: readonly (readonly Trial[])[]
  readonly real: readonly RealTrial[]
}

const round = (value: number): string => value.toFixed(1)
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Which of them count for a bound, and which are only told, each as a line. */
export function judgedLines(trials: readonly RealTrial[]): readonly string[] {
  const lineOf = (words: string, isJudged: boolean): readonly string[] => {
    const those = trials.filter(trial => trial.isJudged === isJudged).map(({ what }) => what)
    return those.length === 0 ? [] : [`${words} (${those.length} of ${trials.length}): ${those.join('; ')}`]
  }
  return [
    ...lineOf('Judged', true),
    ...lineOf('Told and not judged, since others used this machine before or after them', false),
  ]
}

/** Of each scenario the change that was foretold worst. */
function worstOf(trials: readonly Trial[]): readonly (readonly string[])[] {
  const [worst] = trials.toSorted((left, right) => right.error - left.error)
  if (worst === undefined) return []
  const { scenario, kind, change, now, predicted, came, error, isAtMost } = worst
  return [
    [
      scenario,
      kind,
      change,
      round(now),
      `${isAtMost ? 'at most ' : ''}${round(predicted)}`,
      round(came),
      percent(error),
    ],
  ]
}

const realRow = ({ what, verdict, now, predicted, came, error, isJudged }: RealTrial): readonly string[] => [
  what,
  verdict,
  isJudged ? 'yes' : 'no',
  round(now),
  round(predicted),
  round(came),
  percent(error),
]

function sectionOf({ seed, rounds, simulated, real }: WhatIfFigures): string {
  const figures = ['pages/s', 'predicted', 'measured', 'error']
  const realPart = [
    `With real sockets and threads, medians of ${rounds} runs with and without the change in turn, with Node ${machine.node} on ${machine.cores} cores\n(${machine.cpu}), which the servers share:`,
    tableOf(['scenario and change', 'verdict', 'judged', ...figures], real.map(realRow), 3),
  ]
  return [
    ...(real.length === 0 ? [] : realPart),
    `In simulated time, of each scenario the change that was predicted worst (seed ${seed}):`,
    tableOf(['scenario', 'verdict', 'change', ...figures], simulated.flatMap(worstOf), 3),
  ].join('\n\n')
}

/** Puts the figures into docs/bench.md. */
export const writeWhatIfDocs = (figures: WhatIfFigures): Promise<void> =>
  writeFigures('bench.md', 'what-if.ts', sectionOf(figures))
