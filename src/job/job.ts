import type { ConnectionPolicy, ProxySpec } from '../core/route.ts'
import type { JsonObject } from '../core/wire.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { CrawlRules } from '../scope/crawl-rules.ts'
import type { ScopeRules } from '../scope/rules.ts'
import type { Column } from '../stage/columns.ts'
import type { SitemapRule } from '../stage/sitemap-stage.ts'

/** A job with every default filled in: what the rest of the house reads. Written only by `checkJob`. */
export interface Job extends CrawlRules {
  readonly name: string
  /** What messages call the job: its file, or a word. Nothing else depends on it. */
  readonly writtenIn: string
  readonly preset: 'polite' | 'general' | 'bulk'
  readonly seeds: readonly SeedSource[]
  readonly scope: ScopeRules
  readonly pages: readonly PageRule[]
  readonly limits: Limits
  /** Hosts of one's own machine: what the job says of them, and no politeness where it says nothing. */
  readonly loopback: HostPolicy
  readonly timeouts: Timeouts
  readonly retries: Retries
  readonly robots: { readonly ignoreFor: readonly string[] }
  /** By host key, or by host name for every port of it. */
  readonly hosts: Readonly<Record<string, HostOverride>>
  readonly headers: Readonly<Record<string, string>>
  /** By name of the page rule. */
  readonly pageHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly contentTypes: ContentTypes
  readonly redirects: Redirects
  /** Whether tasks without a session have cookies. Those with one always do. */
  readonly cookies: boolean
  /** Null: nothing that is fetched outlives the run. */
  readonly cache: CacheRules | null
  /** Whether hosts that can do so are spoken to in HTTP/2. */
  readonly http2: boolean
  /** Files of certificates that are trusted beside the usual ones. Absolute paths. */
  readonly tls: { readonly ca: readonly string[] }
  readonly proxies: ProxyRules
  readonly userAgent: string
  /** Which part of the pages is read by both parsers, to see where they differ: from 0 to 1. */
  readonly audit: number
  readonly output: Output
  /** Where items are sent to beside the file; null: nowhere. */
  readonly webhook: Webhook | null
}

export interface Output {
  readonly format: 'jsonl' | 'csv' | 'sqlite' | 'parquet'
  readonly compress: 'none' | 'gzip' | 'zstd'
  /** When a file is ended and the next one begun; null: there is one. */
  readonly rotation: { readonly bytes: number | null; readonly everyMs: number | null } | null
  /** Of formats that are tables; others have none. */
  readonly columns: readonly Column[]
  /** Whether texts that a spreadsheet would run are made harmless. */
  readonly guardFormulas: boolean
  /** Whether each item has an `_id` that is the same whenever its page is read. */
  readonly ids: boolean
  /** Whether each item says in which charset its page was read, and who decided that: `_charset`. */
  readonly charset: boolean
  /** Name of a web archive of the pages as they came; null: there is none. */
  readonly warc: string | null
}

export interface Webhook {
  readonly url: string
  /** Items of one request, at most. */
  readonly batch: number
  readonly headers: Readonly<Record<string, string>>
  /** How long it may fail in a row before the run ends. */
  readonly giveUpMs: number
}

export type SeedSource =
  | { readonly kind: 'url'; readonly seed: Seed }
  /** A file of lines or JSON lines, or a table, or `-` for standard input. Absolute path. */
  | { readonly kind: 'file'; readonly path: string; readonly csv?: CsvRules }
  /** Read for the URLs that it names. The seed is the sitemap itself, or the robots file that names sitemaps. */
  | { readonly kind: 'sitemap'; readonly seed: Seed; readonly rule: SitemapRule }

/** Where in a table the URLs are; its other columns are noted beside them. */
export interface CsvRules {
  /** By its name in the first row, or by its place, from 0 on. */
  readonly column: string | number
  /** Null: what stands most often in the first line. */
  readonly delimiter: string | null
}

export interface Seed {
  /** As given; absolute. */
  readonly url: string
  /** Name of the page rule; null: the first rule that fits. */
  readonly page: string | null
  /** Tasks of one session share their cookies and, where there are proxies, their exit; each has an outcome of its own. */
  readonly session: string | null
  readonly geo: string | null
  readonly meta: JsonObject | null
  readonly priority: number
}

/** Through whom requests go, and how a page that is none is known. */
export interface ProxyRules {
  readonly connection: ConnectionPolicy
  /** Empty: requests go directly. */
  readonly list: readonly ProxySource[]
  readonly rotation: 'weighted' | 'round-robin' | 'least-used' | 'sticky-host'
  /** Attempts that one of them may have under way. */
  readonly perProxy: number
  /** Where gateways with `{geo}` in their user name let tasks come out that do not say where. */
  readonly regions: readonly string[]
  /** For tasks whose seed names none. */
  readonly geo: GeoRule | null
  readonly blockSigns: readonly BlockSignRule[]
  readonly session: { readonly maxUses: number; readonly maxAgeMs: number; readonly maxBlocks: number }
}

export type ProxySource =
  | { readonly kind: 'proxy'; readonly spec: ProxySpec }
  /** Lines of a file, of a variable of the environment, or what a function of the job's module gives. */
  | ({ readonly kind: 'file'; readonly path: string } & ProxyTraits)
  | ({ readonly kind: 'env'; readonly name: string } & ProxyTraits)
  | ({ readonly kind: 'function'; readonly read: ListProxies } & ProxyTraits)

/** What holds for all proxies of one source. */
export interface ProxyTraits {
  readonly region: string | null
  readonly weight: number
}

export type ListProxies = () => Promise<readonly ProxyLine[]> | readonly ProxyLine[]

/** `http://user:password@host:port`, or that with what is known of it. */
export type ProxyLine =
  | string
  | { readonly url: string; readonly region?: string; readonly weight?: number; readonly label?: string }

/** One place for all, one for each page rule, or by the URL. */
export type GeoRule = string | Readonly<Record<string, string>> | ((url: string, page: string) => string | null)

/** What shows that a page is none: an element, or a text in its source. */
export interface BlockSignRule {
  readonly name: string
  readonly selector: string | null
  /** A regular expression over the source of the page. */
  readonly pattern: string | null
  /** The gateway of a proxy wrote the page, and not the site. */
  readonly isLie: boolean
}

interface Adaptive<Policy extends string> {
  readonly policy: Policy
  /** First limit. */
  readonly start: number
  /** Never more. */
  readonly max: number
}

/** How many requests a host may have in flight, by which rule: see `src/limit/`, a file for each. */
export type LimiterPolicy =
  | { readonly policy: 'fixed'; readonly max: number }
  | Adaptive<'aimd'>
  | Adaptive<'courteous'>
  /** `budgetMs`: an answer that takes more than 0.8 of it counts as bad. */
  | (Adaptive<'window'> & { readonly budgetMs: number })
  | Adaptive<'blockrate'>
  | Adaptive<'gradient'>
  | Adaptive<'vegas'>

export interface Rate {
  readonly tokensPerSecond: number
  readonly burst: number
}

export interface HostPolicy {
  readonly perHost: LimiterPolicy
  /** Departures per host; null: none. */
  readonly rate: Rate | null
  /** Departures of one host are at least a random time out of this range apart. */
  readonly delayMs: { readonly min: number; readonly max: number }
}

export interface Limits extends HostPolicy {
  /** Requests under way over all hosts. */
  readonly inFlight: number
  /** The same over all hosts of one registrable domain, and over all that have an address in common; null: no bound. */
  readonly perDomain: number | null
  readonly perAddress: number | null
  /** Departures over all hosts; null: none. */
  readonly globalRate: Rate | null
  /** Bound of one decoded body. */
  readonly bodyBytes: number
  /** Bound of all bodies held, from the first byte to the commit. */
  readonly pageBudgetBytes: number
}

export interface Timeouts {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly parseMs: number
  /** A body slower than this on average, after a grace time, is given up as a drip; 0: no such clock. */
  readonly minBytesPerSecond: number
}

export interface Retries {
  /** Attempts after the first that a URL may spend. */
  readonly url: number
  readonly proxy: number
  /** How long a URL may be kept waiting by its host in all. */
  readonly totalWaitMs: number
  /** Retries of a host over its requests, beside the few that every host has. */
  readonly budget: number
}

/** Answers that outlive a run: `src/cache/` tells what each mode means. */
export interface CacheRules {
  /** Absolute path. */
  readonly dir: string
  readonly mode: 'revalidate' | 'reuse'
  /** In `reuse`: older answers are asked about; null: none is too old. */
  readonly maxAgeHours: number | null
  /** Ceiling of all that is kept. */
  readonly maxBytes: number
}

/** Media types, or `image/*`. */
export interface ContentTypes {
  /** Only these are read. Empty: all that can be a page. */
  readonly accept: readonly string[]
  /** These are not, whatever `accept` says. */
  readonly refuse: readonly string[]
}

export interface Redirects {
  /** How many one URL may be led through. */
  readonly max: number
  /** Whether a page that sends its reader elsewhere at once (`<meta http-equiv=refresh>`) is a redirect. */
  readonly metaRefresh: boolean
}

/** What differs for one host. */
export interface HostOverride {
  readonly perHost: LimiterPolicy | null
  readonly rate: Rate | 'none' | null
  readonly delayMs: { readonly min: number; readonly max: number } | null
  readonly headers: Readonly<Record<string, string>>
  /** Whether links from the public web may lead to it though its address is private. */
  readonly allowPrivate: boolean
  /** Why it may be asked faster than others: required then, repeated in the report. */
  readonly reason: string | null
}

/** Tells a checked job from one as it is written: `loopback` is no key of a job file. */
export const isJob = (job: unknown): job is Job => typeof job === 'object' && job !== null && 'loopback' in job
