import { availableParallelism, cpus, totalmem } from 'node:os'

/** Where a figure was measured: without it a figure says nothing. */
export const machine = {
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1e9),
}

/** In the text of docs. */
export const machineText = `${machine.cores} cores (${machine.cpu}, Node ${machine.node})`

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export interface Bound {
  readonly name: string
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
}

const boundText = ({ atLeast, atMost }: Bound): string =>
  [atLeast === undefined ? [] : [`at least ${atLeast}`], atMost === undefined ? [] : [`at most ${atMost}`]]
    .flat()
    .join(', ')

/** Prints each figure beside its bound, and fails the process where one is missed. */
export function assertBounds(bounds: readonly Bound[]): void {
  for (const bound of bounds) {
    const { name, value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = bound
    const holds = value >= atLeast && value <= atMost
    console.log(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${Math.round(value * 1000) / 1000} (${boundText(bound)})`)
    if (!holds) process.exitCode = 1
  }
}
