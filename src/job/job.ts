import type { JsonObject } from '../core/wire.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { ScopeRules } from '../scope/rules.ts'

/** A job with every default filled in: what the rest of the house reads. Written only by `checkJob`. */
export interface Job {
  readonly name: string
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
  /** Files of certificates that are trusted beside the usual ones. Absolute paths. */
  readonly tls: { readonly ca: readonly string[] }
  readonly userAgent: string
  readonly output: { readonly format: 'jsonl' }
}

export type SeedSource =
  | { readonly kind: 'url'; readonly seed: Seed }
  /** A file of lines or JSON lines, or `-` for standard input. Absolute path. */
  | { readonly kind: 'file'; readonly path: string }

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
  /** Why a bound was raised above the preset: required then, repeated in the report. */
  readonly reason: string | null
}

/** Tells a checked job from one as it is written: `loopback` is no key of a job file. */
export const isJob = (job: object): job is Job => 'loopback' in job
