import type { Clock } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { Gate } from '../core/gate.ts'
import type { HostKey } from '../core/url.ts'
import type { Wakeup } from '../core/wakeup.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { PageSlot, Permit } from '../gate/permit.ts'
import type { Retries } from '../job/job.ts'
import type { Parser } from '../parse/parser.ts'
import type { Robots } from '../robots/robots.ts'
import type { Routes } from '../scope/routes.ts'
import type { Errands } from './errands.ts'
import type { Outlet } from './outlet.ts'

/** What every host shares: a place among all requests, and room for a page. */
export interface SharedGrants extends Disposable {
  readonly place: Disposable
  readonly slot: PageSlot
}

/** Everything one run needs, as contracts: made in `compose.ts`, used by the spine. */
export interface House {
  readonly clock: Clock
  readonly random: () => number
  readonly events: Events
  readonly wakeup: Wakeup
  readonly frontier: Frontier
  readonly errands: Errands
  /** Gates that do not ask which host: when one is closed, no host needs to be asked. */
  readonly shared: Gate<SharedGrants>
  readonly hosts: Gate<Permit>
  readonly robots: Robots
  /** A robots file was read: what it asks of requests to this host. */
  readonly space: (host: HostKey, spacingMs: number | null) => void
  readonly routes: Routes
  readonly fetch: Fetcher
  readonly parser: Parser
  readonly outlet: Outlet
  readonly retries: Retries
  readonly maxRedirects: number
  /** Pages after which the run ends, though URLs may be left. */
  readonly maxPages: number
  /** True when our own loop was blocked at some time since `sinceMs`. */
  readonly stalledSince: (sinceMs: number) => boolean
}
