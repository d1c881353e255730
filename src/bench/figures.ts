import type { Bottleneck } from '../analyse/bottleneck.ts'
import type { RunProfile } from '../analyse/run-profile.ts'
import type { WhatIf } from '../analyse/what-if.ts'
import type { WaitCause } from '../core/waits.ts'

/** What a sweep measures and what it is measured with: all that `bench.json` holds. */
export interface BenchFigures {
  /** The job whose pages were read; null: pages that are made for the purpose. */
  readonly job: string | null
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number }
  readonly dials: Dials
  readonly rows: readonly BenchRow[]
}

/** How the built-in server behaves. */
export interface Dials {
  /** From a request to its answer, on average; it varies by half of that to either side. */
  readonly latencyMs: number
  /** Requests that it works at, at once; others stand in line. Null: any number. */
  readonly capacity: number | null
  /** Elements for each kilobyte of a page that is made: 1 is prose, 16 is usual, 30 is a table. */
  readonly weight: number
  /** For so long each row is measured, once it has warmed up. */
  readonly seconds: number
}

/** How one row is set. */
export interface RowSetting {
  readonly threads: number
  readonly concurrency: number
  /** Of a page, on average. */
  readonly pageBytes: number
}

/** Milliseconds of a page in each stage, on average. */
export interface PageStages {
  /** What the URL that was next waited for, by cause; what none waited for is left out. */
  readonly wait: Readonly<Partial<Record<WaitCause, number>>>
  readonly connect: number
  readonly tls: number
  readonly firstByte: number
  readonly body: number
  readonly parseQueue: number
  readonly decode: number
  /** Parsing and extracting, which are one. */
  readonly extract: number
  readonly serialise: number
  readonly commit: number
}

/** What was measured while one row was run, without its start and its end. */
export interface RowFigures {
  readonly pages: number
  /** URLs that brought none, or one that could not be read. */
  readonly failed: number
  readonly measuredMs: number
  readonly pagesPerSecond: number
  readonly megabytesPerSecond: number
  /** Of one page: the main thread, and all other threads of the process. */
  readonly cpuMs: { readonly main: number; readonly workers: number }
  /** How late the timers of the main thread were. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** The most memory that the process had at any time. */
  readonly rssMb: number
  /** Of one request, from its beginning to its last byte. */
  readonly requestMs: number
  readonly stages: PageStages
  /** What the verdict is reckoned from: of the time that was measured alone. */
  readonly profile: RunProfile
}

/** As a run has it, with what a bench knows beside: the server, and that it is on the same cores. */
export interface RowBottleneck {
  readonly kind: Bottleneck['kind'] | 'cores' | 'server'
  readonly sentence: string
  readonly evidence: Bottleneck['evidence'] & {
    /** Of the thread of the server, or of its capacity, whichever is nearer to its end. Left out where no page came. */
    readonly serverBusy?: number
  }
}

export interface RowVerdict {
  readonly bottleneck: RowBottleneck
  /** What one thread more and twice the requests in flight would bring. */
  readonly whatIf: readonly WhatIf[]
}

export interface BenchRow extends RowSetting, RowFigures, RowVerdict {
  /** The most requests that the server saw at once. */
  readonly peakAtServer: number
  /** CPU of the server for one page: it is on the same cores. */
  readonly serverCpuMs: number
}

/** More than this and answers wait for a main thread that has no time for them. */
export const lateMs = 20
