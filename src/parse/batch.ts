import { createDeque, peekFirst, pushFirst, pushLast, takeFirst } from '../core/deque.ts'

/**
 * Which pages go to a thread together. A task costs the main thread and the worker a turn each, wake-ups of another
 * thread among it, and that is more than a small page costs to read: with 16 to a task 2.2 times as many pages of 5 KB a
 * second were read.
 *
 * Company is what happens to wait already, in the order in which it came: no page waits for others, and none overtakes.
 * Pages that stand behind one another in a thread while another thread has nothing to do would be slower for it, so a
 * batch takes no more than its thread's share of the line, and no more than can be read in a moment, by what the pages
 * before them took: where a user's module waits for something, each page goes alone.
 */
export interface Batchable {
  readonly bodyBytes: number
  /** May have ended the process before. */
  readonly isSuspect: boolean
  /** Has its outcome already, and is not wanted any more. */
  readonly isSettled: boolean
}

export interface Line<T extends Batchable> {
  readonly isEmpty: boolean
  /** The one that waits longest, as a rule. */
  readonly first: T | undefined
  push(page: T): void
  /** Those that stood behind a page that ended their thread are the next ones. */
  putBack(pages: readonly T[]): void
  /** The pages of the next task; empty where nobody waits. */
  take(): readonly T[]
  /** Those at the front that pass leave the line. */
  takeWhile(passes: (page: T) => boolean): readonly T[]
  /** How long a thread had this page. */
  learn(page: T, busyMs: number): void
}

export const mostTogether = 16
const smallBytes = 8 * 1024
const mostBytes = 64 * 1024
const momentMs = 10
/** Weight of the newest page in the mean. */
const weight = 1 / 8

const isSmall = ({ bodyBytes, isSuspect }: Batchable): boolean => bodyBytes <= smallBytes && !isSuspect

export function createLine<T extends Batchable>(threads: number): Line<T> {
  const line = createDeque<T>()
  let meanMs: number | null = null

  return {
    get isEmpty() {
      return line.size === 0
    },
    get first() {
      return peekFirst(line)
    },
    push(page) {
      pushLast(line, page)
    },
    putBack(pages) {
      for (const page of pages.toReversed()) pushFirst(line, page)
    },
    take() {
      const most = Math.min(mostTogether, Math.ceil(line.size / threads), momentMs / (meanMs ?? momentMs))
      const taken: T[] = []
      let bytes = 0
      for (let next = peekFirst(line); next !== undefined; next = peekFirst(line)) {
        if (!next.isSettled) {
          bytes += next.bodyBytes
          const isFit = taken.length < most && bytes <= mostBytes && isSmall(next) && taken.every(isSmall)
          if (taken.length > 0 && !isFit) break
          taken.push(next)
        }
        takeFirst(line)
      }
      return taken
    },
    takeWhile(passes) {
      const taken: T[] = []
      for (let next = peekFirst(line); next !== undefined && passes(next); next = peekFirst(line)) {
        taken.push(next)
        takeFirst(line)
      }
      return taken
    },
    learn(page, busyMs) {
      if (isSmall(page)) meanMs = meanMs === null ? busyMs : meanMs + weight * (busyMs - meanMs)
    },
  }
}
