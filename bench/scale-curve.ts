import { type ScaleModel, type ScaleResult, simulateScale } from './scale-model.ts'

/** What was counted for pages of one cost. */
export interface Curve {
  readonly parseMs: number
  /** Threads that keep the main thread busy, by what a page costs them and it. */
  readonly byCost: number
  /** The same as it was counted: the least number; null: more than were tried. */
  readonly fullAt: number | null
  readonly points: readonly (ScaleResult & { readonly threads: number })[]
}

export const mostThreads = 64
const threadCounts = [1, 2, 4, 8, 16, 24, 32, 48, mostThreads]

/** From here on another thread brings nothing. Not all of it: what pages cost is drawn. */
export const fullFrom = 0.99

export const isFull = ({ mainBusy }: Pick<ScaleResult, 'mainBusy'>): boolean => mainBusy >= fullFrom

/** The least number that is enough, where all beyond one that is enough are; null: not even the most. */
export function leastThat(isEnough: (number: number) => boolean, most: number): number | null {
  if (!isEnough(most)) return null
  let [low, high] = [1, most]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export type Load = Omit<ScaleModel, 'threads'>

/** @param mostPages counted with the most threads; the others show where a curve bends, which `load.pages` do as well */
export function curveOf(load: Load, mostPages: number): Curve {
  const counted = new Map<number, ScaleResult>()
  function resultOf(threads: number): ScaleResult {
    const pages = threads === mostThreads ? mostPages : load.pages
    const result = counted.get(threads) ?? simulateScale({ ...load, threads, pages })
    counted.set(threads, result)
    return result
  }
  return {
    parseMs: load.parseMs,
    byCost: load.parseMs / load.mainMs,
    fullAt: leastThat(threads => isFull(resultOf(threads)), mostThreads),
    points: threadCounts.map(threads => ({ threads, ...resultOf(threads) })),
  }
}
