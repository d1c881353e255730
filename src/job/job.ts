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
}

export type LimiterPolicy =
  | { readonly policy: 'fixed'; readonly max: number }
  | { readonly policy: 'aimd'; readonly start: number; readonly max: number }

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
}

/** What differs for one host. */
export interface HostOverride {
  readonly perHost: LimiterPolicy | null
  readonly rate: Rate | 'none' | null
  readonly delayMs: { readonly min: number; readonly max: number } | null
  readonly headers: Readonly<Record<string, string>>
  /** Why a bound was raised above the preset: required then, repeated in the report. */
  readonly reason: string | null
}

/** Tells a checked job from one as it is written: `loopback` is no key of a job file. */
export const isJob = (job: object): job is Job => 'loopback' in job
