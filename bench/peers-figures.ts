import type { Figures } from './contest/figures.ts'
import { figureText, isWithin, markedText, rangeText, tableOf } from './docs-figures.ts'
import { type Bound, median } from './machine.ts'

/** One run of a contestant. */
export interface Round extends Figures {
  /** Requests under way at once, as the server saw them; null: it asked for nothing. */
  readonly peak: number | null
}

export interface Contestant {
  readonly name: string
  /** One after the other, in turn with those of the others. */
  readonly rounds: readonly Round[]
  /** Requests under way at once, at a server that waited for as many as would come; null: it asks for nothing. */
  readonly heldPeak: number | null
  /** The share of our items that it has as well, and equal. */
  readonly agreement: number
}

/** What was asked of all of them. */
export interface Contest {
  readonly pages: number
  readonly concurrency: number
  readonly contestants: readonly Contestant[]
}

export const names = {
  millrace: 'Millrace',
  oneThread: 'Millrace, one thread',
  crawlee: 'Crawlee CheerioCrawler',
  nodeCrawler: 'node-crawler',
  scrapy: 'Scrapy',
  load: 'undici + cheerio.load',
  htmlparser2: 'undici + cheerio on htmlparser2',
  bareFetch: 'bare dispatch, bodies dropped',
  bareParse: 'bare htmlparser2 pass with the fields',
} as const

const perCpuSecond = ({ items, cpuMs }: Figures): number => (items * 1_000) / cpuMs
const perSecond = ({ items, wallMs }: Figures): number => (items * 1_000) / wallMs
const cpuMsPerPage = ({ items, cpuMs }: Figures): number => cpuMs / items

const none = '-'

/** The median, with the least and the most where they differ. */
function spreadText(values: readonly number[], digits = 0): string {
  if (values.length === 0) return none
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(value =>
    value.toFixed(digits),
  )
  return least === most ? `${middle}` : `${middle} (${least} to ${most})`
}

const isFigure = (value: number | null): value is number => value !== null

/** What was measured of two contestants in the same round, which the machine disturbed alike. */
function paired(
  contest: Contest,
  [left, right]: readonly [string, string],
  over: (left: Round, right: Round) => number,
): readonly number[] {
  const others = roundsOf(contest, right)
  return roundsOf(contest, left).flatMap((round, nth) => {
    const other = others[nth]
    return other === undefined ? [] : [over(round, other)]
  })
}

const roundsOf = ({ contestants }: Contest, name: string): readonly Round[] =>
  contestants.find(contestant => contestant.name === name)?.rounds ?? []

/** What nobody can do without who fetches by undici and reads by htmlparser2: of each round, CPU of a page. */
const bareMs = (contest: Contest): readonly number[] =>
  paired(contest, [names.bareFetch, names.bareParse], (fetch, parse) => cpuMsPerPage(fetch) + cpuMsPerPage(parse))

function overBare(contest: Contest, name: string): readonly number[] {
  const bare = bareMs(contest)
  return roundsOf(contest, name).flatMap((round, nth) => {
    const ms = bare[nth]
    return ms === undefined ? [] : [cpuMsPerPage(round) / ms]
  })
}

type Column = readonly [head: string, cellOf: (contestant: Contestant, contest: Contest) => string]

const columns: readonly Column[] = [
  ['pages per CPU-second', ({ rounds }) => spreadText(rounds.map(perCpuSecond))],
  ['pages a second', ({ rounds }) => spreadText(rounds.map(perSecond))],
  ['peak memory, MB', ({ rounds }) => spreadText(rounds.map(({ rssMb }) => rssMb))],
  ['loop delay p99, ms', ({ rounds }) => spreadText(rounds.map(({ loopDelayMs }) => loopDelayMs).filter(isFigure), 1)],
  ['CPU of a page, over the bare minimum', ({ name }, contest) => spreadText(overBare(contest, name), 2)],
  ['requests at once, as the server saw', ({ rounds }) => spreadText(rounds.map(({ peak }) => peak).filter(isFigure))],
  ['and where it waits for them', ({ heldPeak }) => (heldPeak === null ? none : String(heldPeak))],
  ['items as ours', ({ name, agreement }) => (name === names.bareFetch ? none : `${(100 * agreement).toFixed(1)} %`)],
]

export const tableHead: readonly string[] = columns.map(([head]) => head)

export const cellsOf = (contest: Contest): readonly (readonly [name: string, cells: readonly string[]])[] =>
  contest.contestants.map(contestant => [contestant.name, columns.map(([, cellOf]) => cellOf(contestant, contest))])

/** A figure that Millrace is to reach, as it was in each round. */
export interface Goal {
  readonly what: string
  readonly values: readonly number[]
  readonly atLeast?: number
  readonly atMost?: number
}

/** Without those beside whoever was not there. */
export function goalsOf(contest: Contest): readonly Goal[] {
  const perCpuSecondOver = (name: string): readonly number[] =>
    paired(contest, [names.millrace, name], (ours, theirs) => perCpuSecond(ours) / perCpuSecond(theirs))
  const goals: readonly Goal[] = [
    { what: "pages per CPU-second, over Crawlee's", values: perCpuSecondOver(names.crawlee), atLeast: 8 },
    { what: "pages per CPU-second, over Scrapy's", values: perCpuSecondOver(names.scrapy), atLeast: 4 },
    { what: 'pages per CPU-second, over undici + cheerio.load', values: perCpuSecondOver(names.load), atLeast: 10 },
    {
      what: 'pages per CPU-second, over undici + cheerio on htmlparser2',
      values: perCpuSecondOver(names.htmlparser2),
      atLeast: 3,
    },
    { what: 'CPU of a page, over the bare minimum', values: overBare(contest, names.millrace), atMost: 1.35 },
    {
      what: 'pages a second, over what one core can do with one thread',
      values: paired(contest, [names.millrace, names.oneThread], (ours, one) => perSecond(ours) / perCpuSecond(one)),
      atLeast: 1.7,
    },
    {
      what: "peak memory, over Crawlee's",
      values: paired(contest, [names.millrace, names.crawlee], (ours, theirs) => ours.rssMb / theirs.rssMb),
      atMost: 0.5,
    },
  ]
  return goals.filter(({ values }) => values.length > 0)
}

export const boundOf = ({ what, values, ...range }: Goal): Bound => ({ name: what, value: median(values), ...range })

/** That all did the same work at the same concurrency, without which no figure says anything. */
export function checksOf({ pages, concurrency, contestants }: Contest): readonly Bound[] {
  return contestants.flatMap(({ name, rounds, heldPeak, agreement }) => [
    {
      name: `${name}: rounds without an item for each of ${pages} pages`,
      value: rounds.filter(({ items }) => items !== pages).length,
      atMost: 0,
    },
    ...(heldPeak === null
      ? []
      : [
          {
            name: `${name}: most requests at once in a round`,
            value: Math.max(...rounds.map(({ peak }) => peak).filter(isFigure)),
            atMost: concurrency,
          },
          {
            name: `${name}: requests at once where the server waits for them`,
            value: heldPeak,
            atLeast: concurrency,
            atMost: concurrency,
          },
        ]),
    ...(name === names.htmlparser2
      ? [{ name: `${name}: items that differ from ours`, value: 1 - agreement, atMost: 0 }]
      : []),
  ])
}

function goalRow({ what, values, atLeast, atMost }: Goal): readonly string[] {
  const range = [atLeast ?? Number.NEGATIVE_INFINITY, atMost ?? Number.POSITIVE_INFINITY] as const
  const digits = median(values) < 2 ? 2 : 1
  return [what, markedText(spreadText(values, digits), isWithin(median(values), range)), rangeText(range, figureText)]
}

/** Both tables for docs/bench.md, under a line that says where and how they were measured. */
export const sectionOf = (contest: Contest, measured: string): string =>
  [
    measured,
    tableOf(
      ['', ...tableHead],
      cellsOf(contest).map(([name, cells]) => [name, ...cells]),
    ),
    'And what Millrace is to reach beside them, each round by itself; bold is what it does not:',
    tableOf(['', 'measured', 'goal'], goalsOf(contest).map(goalRow)),
  ].join('\n\n')
