import type { Task } from '../core/task.ts'
import type { ProxyRules } from '../job/job.ts'
import type { Exit } from './exit.ts'
import { scoreOf } from './health.ts'
import { rotations } from './rotations/index.ts'
import { leastBy } from './rotations/least-by.ts'
import type { ExitView } from './rotations/rotation.ts'

/** Which of the open exits an attempt takes. */
export interface Chooser {
  /** Undefined where none is open. */
  choose(open: readonly Exit[], task: Task, nowMs: number): Exit | undefined
  /** The next try of the task goes elsewhere, if it can. */
  avoid(task: Task, exit: Exit): void
  /** No more is to be remembered of the task. */
  forget(task: Task): void
}

export interface ChooserOptions {
  readonly rotation: ProxyRules['rotation']
  readonly budgetMs: number
  readonly random: () => number
}

/** Tasks whose exits are remembered; the one that failed longest ago is forgotten. */
const mostTasks = 10_000
/** Without new samples a score changes only as old ones leave its window. */
const scoreForMs = 5_000

interface View extends ExitView {
  readonly exit: Exit
}

export function createChooser({ rotation, budgetMs, random }: ChooserOptions): Chooser {
  const rotate = rotations[rotation]
  const tried = new Map<string, Set<Exit>>()
  const scores = new WeakMap<Exit, { readonly score: number; readonly version: number; readonly untilMs: number }>()

  function scoreNow(exit: Exit, nowMs: number): number {
    const { version } = exit.health
    const known = scores.get(exit)
    if (known !== undefined && known.version === version && known.untilMs > nowMs) return known.score
    const score = scoreOf(exit.health, budgetMs, nowMs)
    scores.set(exit, { score, version, untilMs: nowMs + scoreForMs })
    return score
  }

  function viewOf(exit: Exit, nowMs: number): View {
    const { label, inFlight, uses, turn } = exit
    return { exit, label, weight: exit.spec.weight, score: scoreNow(exit, nowMs), inFlight, uses, turn }
  }

  /** Another region first, then another exit, then whatever there is. */
  function untried(open: readonly Exit[], task: Task): readonly Exit[] {
    const exits = tried.get(task.id)
    if (exits === undefined) return open
    const regions = new Set([...exits].map(({ region }) => region))
    const elsewhere = open.filter(({ region }) => !regions.has(region))
    if (elsewhere.length > 0) return elsewhere
    const others = open.filter(exit => !exits.has(exit))
    return others.length > 0 ? others : open
  }

  return {
    choose(open, task, nowMs) {
      const well = untried(
        open.filter(({ coolDown }) => coolDown === null),
        task,
      )
      // A probe may well cost its time: it is for those who have lost none yet, and are bound to nothing.
      const isFresh = task.attempts.proxy === 0 && task.session === null && !tried.has(task.id)
      if (well.length === 0 || isFresh) {
        const due = leastBy(
          open.filter(({ coolDown }) => coolDown !== null),
          ({ coolDown }) => coolDown?.untilMs ?? 0,
        )
        if (due !== undefined) return due
      }
      const views = well.map(exit => viewOf(exit, nowMs))
      const chosen = rotate(views, task.host, random)
      return views.find(view => view === chosen)?.exit
    },
    avoid({ id }, exit) {
      const exits = tried.get(id) ?? new Set()
      tried.delete(id)
      tried.set(id, exits.add(exit))
      const [oldest] = tried.keys()
      if (tried.size > mostTasks && oldest !== undefined) tried.delete(oldest)
    },
    forget: ({ id }) => void tried.delete(id),
  }
}
