import { channel } from 'node:diagnostics_channel'
import type { ErrorCode } from './errors.ts'
import type { Fate } from './fate.ts'
import type { Outcome } from './outcome.ts'
import type { Timing } from './page.ts'
import type { Standstill } from './standstill.ts'
import type { Task } from './task.ts'
import type { HostKey } from './url.ts'
import type { WaitCause } from './waits.ts'
import type { EngineName, PageAudit, ParseTimes, UnroutedLinks } from './wire.ts'

/**
 * What happens in a run, as past participles. The channel name is `millrace:` and the key; each message also carries
 * `run`, since channels are global to the process and runs are not. Observers may read and must not change anything.
 */
export interface EventMap {
  'run.started': { readonly name: string; readonly atMs: number }
  /** An earlier process left this; `changed` says what of the job differs from its job, and what that means. */
  'run.resumed': {
    readonly done: number
    readonly pending: number
    readonly changed: readonly string[]
    /** What of its state was damaged, in a sentence. */
    readonly damage: string | null
  }
  'run.ended': { readonly stopped: boolean; readonly atMs: number }
  /** Nothing has moved for a while. */
  'run.stood': Standstill
  /** Work on a task begins, whether it is asked for, answered from before, or refused. */
  'visit.started': { readonly task: Task }
  /** All of it is kept, or the task goes on later. */
  'visit.ended': { readonly task: Task }
  'task.admitted': { readonly task: Task; readonly hostInFlight: number }
  /** A piece of the time for which the first task in the line of a host could not go. */
  'task.waited': { readonly cause: WaitCause; readonly waitedMs: number }
  'task.fetched': {
    readonly task: Task
    readonly outcome: Outcome['kind']
    readonly code: ErrorCode | null
    readonly status: number | null
    readonly timing: Timing | null
    readonly bodyBytes: number
    /** For how long it had its place among the requests under way. */
    readonly heldMs: number
  }
  /** Admitted, and not asked for after all: its host was closed before it could be written. It goes back to its queue. */
  'task.withdrawn': { readonly task: Task }
  'task.settled': { readonly task: Task; readonly fate: Fate }
  /** What a task ended with is kept, and its reader has it; so long after it was settled. */
  'task.kept': { readonly waitedMs: number }
  'lane.limit': { readonly host: HostKey; readonly from: number; readonly to: number; readonly reason: string }
  'lane.paused': { readonly host: HostKey; readonly untilMs: number; readonly reason: string }
  /** A proxy is left alone for a while. Proxies are named by their labels. */
  'proxy.paused': {
    readonly proxy: string
    readonly region: string
    readonly untilMs: number
    readonly reason: string
  }
  'proxy.resumed': { readonly proxy: string; readonly region: string }
  /** No proxy works: the run waits, and probes them. */
  'proxies.parked': { readonly reason: string }
  /** The cache of the run cannot be read or written, or began anew: in a sentence. */
  'cache.troubled': { readonly reason: string }
  /** The webhook did not take a batch, once more; told after 1, 2, 4, 8, ... tries. */
  'webhook.failed': {
    readonly reason: string
    readonly tries: number
    /** From now until it is given up. */
    readonly leftMs: number
  }
  /** To the parser, where it may wait for a thread. */
  'page.handed': { readonly task: Task }
  'page.parsed': {
    readonly task: Task
    /** Why it could not be read; null: it was. */
    readonly code: ErrorCode | null
    readonly bodyBytes: number
    readonly decodedBytes: number
    readonly items: number
    /** As many as the reply has `refused`; left out where there are none. */
    readonly refused?: number
    readonly links: number
    /** Left out where there are none. */
    readonly unrouted?: UnroutedLinks
    /** From hand-over to reply: the time in the queue is in it. */
    readonly parseMs: number
    /** What of it went by before a thread began. */
    readonly queuedMs: number
    readonly cpuMs: number
    /** What of `cpuMs` went to each part. */
    readonly parts: ParseTimes
    /** Null when the page gave nothing. */
    readonly engine: EngineName | null
    /** Null: the page was not read by both parsers. */
    readonly audit: PageAudit | null
    /** Scripts that a field took for JSON and that hold none. */
    readonly brokenBlocks: number
    /** As the reply has it; left out where there were no items. */
    readonly filled?: readonly number[]
  }
  /** A page that came is none, by what it says: the site's "not you", or a page of the proxy's own. */
  'page.unmasked': {
    readonly task: Task
    readonly code: Extract<ErrorCode, 'BLOCKED' | 'PROXY_FAILED'>
    /** When it came, as what it seemed to be. */
    readonly answeredAtMs: number
  }
  /** A page that was parsed does not count: its items are not kept. */
  'page.dropped': { readonly task: Task; readonly items: number }
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

const channelName = (name: EventName): string => `millrace:${name}`

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
      // What is spread first V8 copies as a whole, at a quarter of what it costs key by key.
      if (target.hasSubscribers) target.publish({ ...make(), run })
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
