import type { CacheRules, ContentTypes, ProxyRules, Redirects, Retries, Timeouts, Webhook } from './job.ts'

/** Defaults that no preset changes, with their reasons. Units are in the names. */

export const defaultPreset = 'general'

/** A name and a version: hosts can tell who asks, and robots files can address it. Jobs in earnest add a contact. */
export const defaultUserAgent = 'Millrace/0.1'

/** The name of the page rule of a job that has its `item` and `follow` at the top level. */
export const defaultPageName = 'page'

/** Decoded. The largest real pages are a few MB; what is above is a download, a bomb or an endless page. */
export const defaultBodyBytes = 10_000_000

/** Seconds of work for the workers, and six of the largest bodies: holding more would only cost memory. */
export const defaultPageBudgetBytes = 64_000_000

export const defaultTimeouts: Timeouts = {
  // Two lost SYN packets are sent again within 3 s.
  connectMs: 5_000,
  // Rendering a page from a cold cache takes seconds; a minute is an outage.
  firstByteMs: 15_000,
  // Between two pieces of a body.
  idleMs: 10_000,
  // The whole attempt: 10 MB at 170 kB/s.
  totalMs: 60_000,
  // A real page takes some 10 ms; only hostile ones come here.
  parseMs: 5_000,
  // The slowest mobile link gives 1 kB/s; a server that drips to hold us gives a few bytes.
  minBytesPerSecond: 256,
}

export const defaultRetries: Retries = {
  // Four attempts with growing pauses outlive a restart of the server; a URL that fails then fails tomorrow.
  url: 3,
  proxy: 5,
  // Ten minutes: most Retry-After are below, and a run should end on the day it began.
  totalWaitMs: 600_000,
  // A healthy host fails one request of a hundred; one that fails one of ten is not helped by being asked again.
  budget: 0.1,
}

/** All that can be a page; images, sound, archives and the like are refused before their body is paid for. */
export const defaultContentTypes: ContentTypes = { accept: [], refuse: [] }

/** Browsers stop at 20, and chains of honest sites end by five. A refresh is followed by readers more than by robots. */
export const defaultRedirects: Redirects = { max: 10, metaRefresh: false }

export const defaultProxies: Pick<ProxyRules, 'connection' | 'rotation' | 'perProxy' | 'session'> = {
  // A rotating gateway gives a new exit with each connection, and nothing is carried from one to the other.
  connection: 'fresh',
  rotation: 'weighted',
  // The gates bound requests per host and in all; how much one proxy bears is what its seller says.
  perProxy: 10_000,
  // A visitor's stay: some dozens of pages in half an hour. Three refusals are no accident.
  session: { maxUses: 50, maxAgeMs: 1_800_000, maxBlocks: 3 },
}

export const defaultCache: Pick<CacheRules, 'mode' | 'maxBytes'> = {
  // What a host says may be used is never wrong; the other mode is asked for by name.
  mode: 'revalidate',
  // Ten thousand pages of 100 kB.
  maxBytes: 1_000_000_000,
}

export const defaultWebhook: Pick<Webhook, 'batch' | 'giveUpMs'> = {
  // Some tens of kB: what any server takes in one request.
  batch: 100,
  // A deployment of the other side, or its restart, is over by then.
  giveUpMs: 600_000,
}

/** Departures that may leave at once when a rate is given without `burst`. */
export const defaultBurst = 1
