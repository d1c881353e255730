import type { Fault } from '../core/errors.ts'
import type { ParseReply } from '../core/wire.ts'
import type { StageRules } from '../stage/stage.ts'
import type { LaneCells } from './lane.ts'
import type { SentRequest } from './sent-request.ts'

/** What a worker is given once, when it starts. */
export interface WorkerSetup {
  readonly rules: StageRules
  readonly cells: LaneCells
  /** Heap and what is outside it; a thread that is left with more after a page of a user's module asks to be ended. */
  readonly ceilingBytes: number
}

/** What is to be done on a lane. A thread loads its modules in its first task, whichever that is: each begins as a page does. */
export type LaneTask =
  /** That alone; answers with null. */
  | { readonly kind: 'load'; readonly lane: number }
  /** Answers with the reply to the last page; those before it are told as soon as each is read. */
  | { readonly kind: 'parse'; readonly lane: number; readonly requests: readonly SentRequest[] }

/** What a worker is given; `lane` is the index into the cells, and no two tasks have the same `id`. */
export type WorkerTask = LaneTask & { readonly id: number }

/** Instead of any other answer: what keeps the modules of the thread from loading. */
export interface Unloadable {
  readonly kind: 'unloadable'
  readonly fault: Fault
}

/** The reply to a page of a task that has more. */
export interface Answer {
  readonly kind: 'answer'
  readonly id: number
  readonly nth: number
  /** When the page began to run. */
  readonly startedAtMs: number
  readonly reply: ParseReply
}

/** A worker that holds more than it may says so, and waits to be ended. */
export interface Heavy {
  readonly kind: 'heavy'
  /** Of the task: by the time this is read, its lane may have gone on to another. */
  readonly id: number
  readonly heldBytes: number
}

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : null

export const isHeavy = (message: unknown): message is Heavy => kindOf(message) === 'heavy'
export const isUnloadable = (result: unknown): result is Unloadable => kindOf(result) === 'unloadable'
export const isAnswer = (message: unknown): message is Answer => kindOf(message) === 'answer'
