import type { Clock } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { Gate } from '../core/gate.ts'
import type { HostKey } from '../core/url.ts'
import type { Wakeup } from '../core/wakeup.ts'
import type { Fetcher, Recall } from '../fetch/fetcher.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { HostCare, PageSlot, Permit } from '../gate/permit.ts'
import type { Redirects, Retries } from '../job/job.ts'
import type { Parser } from '../parse/parser.ts'
import type { Proxies } from '../proxy/lease.ts'
import type { Robots } from '../robots/robots.ts'
import type { CrawlRules } from '../scope/crawl-rules.ts'
import type { Routes } from '../scope/routes.ts'
import type { TrapWatch } from '../scope/trap-watch.ts'
import type { Spending } from './budget.ts'
import type { Errands } from './errands.ts'
import type { Outlet } from './outlet.ts'
import type { StallWatch } from './stall-watch.ts'
import type { Suspects } from './suspects.ts'

/** What every host shares: a place among all requests, a place before the threads, and room for a page. */
export interface SharedGrants extends Disposable {
  readonly place: Disposable
  readonly backlog: Disposable
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
  /** Room for a page alone, which is one of the shared gates. */
  readonly room: Gate<PageSlot>
  /** A place before the threads, which is another. */
  readonly backlog: Gate<Disposable>
  readonly hosts: Gate<Permit> & HostCare
  readonly robots: Robots
  /** The way to the hosts: the last gate, asked for the very task that goes. */
  readonly proxies: Proxies
  /** A robots file was read: what it asks of requests to this host. */
  readonly space: (host: HostKey, spacingMs: number | null) => void
  readonly routes: Routes
  readonly fetch: Fetcher
  /** Answers from before; null: there are none. */
  readonly recall: Recall | null
  readonly parser: Parser
  /** True for a page rule whose module may ask for the headers of a page. */
  readonly wantsHeaders: (page: string) => boolean
  readonly suspects: Suspects
  readonly outlet: Outlet
  readonly retries: Retries
  readonly redirects: Redirects
  /** What the run may spend before it ends, though URLs may be left. */
  readonly spending: Spending
  /** What the word of a page is worth that it is another one's. */
  readonly canonical: CrawlRules['canonical']
  /** Texts of pages that were read; null: they are of no matter. False for one that is known. */
  readonly contents: { add(content: string): boolean } | null
  /** Null: no URL is taken for a trap. */
  readonly traps: TrapWatch | null
  readonly stalls: StallWatch
}
