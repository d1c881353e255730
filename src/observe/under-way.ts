import { listen } from '../core/events.ts'
import type { Outstanding, Stage } from '../core/standstill.ts'
import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'

export interface UnderWay extends Disposable {
  readonly size: number
  /** When a URL last came a stage further, or anything was kept. */
  readonly movedAtMs: number
  /** Those that have been in their stage longest, at most `max` of them. */
  oldest(max: number): readonly Outstanding[]
}

interface Place {
  stage: Stage
  sinceMs: number
}

/** Gathers what is under way in one run; changes nothing. */
export function gatherUnderWay(run: string, nowMs: () => number): UnderWay {
  const places = new Map<Task, Place>()
  let movedAtMs = nowMs()

  function move(task: Task, stage: Stage): void {
    movedAtMs = nowMs()
    const place = places.get(task)
    if (place === undefined || place.stage === stage) return
    place.stage = stage
    place.sinceMs = movedAtMs
  }

  const listener = listen(run, {
    'visit.started'({ task }) {
      movedAtMs = nowMs()
      places.set(task, { stage: 'fetch', sinceMs: movedAtMs })
    },
    'task.fetched': ({ task, outcome }) => move(task, outcome === 'page' ? 'parse' : 'keep'),
    'page.parsed': ({ task }) => move(task, 'keep'),
    'task.settled': ({ task }) => move(task, 'keep'),
    'sink.wrote'() {
      movedAtMs = nowMs()
    },
    'visit.ended'({ task }) {
      movedAtMs = nowMs()
      places.delete(task)
    },
  })

  return {
    get size() {
      return places.size
    },
    get movedAtMs() {
      return movedAtMs
    },
    oldest(max) {
      const atMs = nowMs()
      return [...places]
        .sort(([, left], [, right]) => left.sinceMs - right.sinceMs)
        .slice(0, max)
        .map(([{ url }, { stage, sinceMs }]) => ({ url: withoutCredentials(url), stage, ageMs: atMs - sinceMs }))
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}
