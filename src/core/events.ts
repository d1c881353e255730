import { channel } from 'node:diagnostics_channel'
import type { ErrorCode } from './errors.ts'
import type { Fate } from './fate.ts'
import type { Outcome } from './outcome.ts'
import type { Timing } from './page.ts'
import type { Task } from './task.ts'
import type { HostKey } from './url.ts'
import type { EngineName } from './wire.ts'

/**
 * What happens in a run, as past participles. The channel name is `millrace:` and the key; each message also carries
 * `run`, since channels are global to the process and runs are not. Observers may read and must not change anything.
 */
export interface EventMap {
  'run.started': { readonly name: string; readonly atMs: number }
  /** An earlier process left this; `changed` are keys of the job that differ from its job. */
  'run.resumed': { readonly done: number; readonly pending: number; readonly changed: readonly string[] }
  'run.ended': { readonly stopped: boolean; readonly atMs: number }
  'task.admitted': { readonly task: Task; readonly hostInFlight: number }
  'task.fetched': {
    readonly task: Task
    readonly outcome: Outcome['kind']
    readonly code: ErrorCode | null
    readonly status: number | null
    readonly timing: Timing | null
    readonly bodyBytes: number
  }
  'task.settled': { readonly task: Task; readonly fate: Fate }
  'lane.limit': { readonly host: HostKey; readonly from: number; readonly to: number; readonly reason: string }
  'lane.paused': { readonly host: HostKey; readonly untilMs: number; readonly reason: string }
  'page.parsed': {
    readonly task: Task
    readonly bodyBytes: number
    readonly decodedBytes: number
    readonly items: number
    readonly links: number
    /** From hand-over to reply: the time in the queue is in it. */
    readonly parseMs: number
    /** What of it went by before a thread began. */
    readonly queuedMs: number
    readonly cpuMs: number
    /** Null when the page gave nothing. */
    readonly engine: EngineName | null
  }
  'parse.restarted': { readonly code: ErrorCode }
  'sink.wrote': { readonly items: number; readonly bytes: number; readonly latencyMs: number }
}

export type EventName = keyof EventMap
export type Message<N extends EventName> = EventMap[N] & { readonly run: string }

/** Publishes the events of one run. */
export interface Events {
  readonly run: string
  /** `make` runs only if somebody listens. */
  emit<N extends EventName>(name: N, make: () => EventMap[N]): void
}

export const channelName = (name: EventName): string => `millrace:${name}`

export function createEvents(run: string): Events {
  const channels = new Map<EventName, ReturnType<typeof channel>>()
  return {
    run,
    emit(name, make) {
      let target = channels.get(name)
      if (target === undefined) {
        target = channel(channelName(name))
        channels.set(name, target)
      }
      if (target.hasSubscribers) target.publish({ run, ...make() })
    },
  }
}

/** Listens to the named events of one run until disposed. */
export function listen(run: string, handlers: { [N in EventName]?: (event: EventMap[N]) => void }): Disposable {
  const undo: (() => void)[] = []
  for (const [name, handler] of Object.entries(handlers)) {
    const target = channel(channelName(name as EventName))
    const receive = (message: unknown): void => {
      const event = message as Message<EventName>
      if (event.run === run) (handler as (event: unknown) => void)(event)
    }
    target.subscribe(receive)
    undo.push(() => target.unsubscribe(receive))
  }
  return {
    [Symbol.dispose]() {
      for (const step of undo) step()
    },
  }
}
