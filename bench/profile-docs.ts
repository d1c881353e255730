import { tableOf } from './docs-figures.ts'
import { type KindSums, type ThreadKind, threadKinds } from './thread-kinds.ts'

/** CPU of a page by thread, in milliseconds. */
export interface ThreadCosts extends KindSums {
  /** By the process's own account. */
  readonly whole: number
}

type Parts = readonly (readonly [part: string, ms: number])[]

const heads: Readonly<Record<ThreadKind, string>> = {
  main: 'main thread',
  parse: 'parse threads',
  v8: "V8's own",
  state: 'the thread of the state',
  others: "Node's own",
}

const percent = (share: number): string => `${Math.round(100 * share)} %`

const threadCell = (ms: number, whole: number): string =>
  ms / whole < 0.005 ? '-' : `${ms.toFixed(2)} (${percent(ms / whole)})`

const threadTable = (costs: ReadonlyMap<string, ThreadCosts>): string =>
  tableOf(
    ['CPU of a page, ms', 'whole', ...threadKinds.map(kind => heads[kind])],
    [...costs].map(([name, of]) => [
      name,
      of.whole.toFixed(2),
      ...threadKinds.map(kind => threadCell(of[kind], of.whole)),
    ]),
  )

/** Parts of several threads that are called the same, together. */
function sharesOf(parts: Parts): ReadonlyMap<string, number> {
  const whole = parts.reduce((sum, [, ms]) => sum + ms, 0)
  const shares = new Map<string, number>()
  for (const [part, ms] of parts) shares.set(part, (shares.get(part) ?? 0) + ms / whole)
  return shares
}

function partsTable(main: Parts, parse: Parts): string {
  const [mainShares, parseShares] = [sharesOf(main), sharesOf(parse)]
  const names = [...new Set([...mainShares.keys(), ...parseShares.keys()])]
  const cell = (share = 0): string => (share < 0.005 ? '-' : percent(share))
  return tableOf(
    ['of its time', heads.main, heads.parse],
    names.map(name => [name, cell(mainShares.get(name)), cell(parseShares.get(name))]),
  )
}

/** Both tables for docs/bench.md, under a line that says where and how they were measured. */
export const profileSection = (
  costs: ReadonlyMap<string, ThreadCosts>,
  { main, parse }: { readonly main: Parts; readonly parse: Parts },
  measured: string,
): string =>
  [
    measured,
    threadTable(costs),
    'By what the threads were seen at, in a run that was sampled:',
    partsTable(main, parse),
  ].join('\n\n')
