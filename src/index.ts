export { type ErrorCode, errorTraits, type Fault, MillraceError } from './core/errors.ts'
export type { EventMap, EventName, Message as EventMessage } from './core/events.ts'
export type { LedgerCounts } from './core/ledger.ts'
export type { Item, JsonValue, Link, UnroutedLinks } from './core/wire.ts'
export type { FieldInput, ItemInput, ItemsInput } from './extract/item-input.ts'
export type { ItemOf, ItemOfJob, ItemOrigin } from './extract/item-of.ts'
export { defineJob, type JobInput } from './job/define-job.ts'
export type { Job } from './job/job.ts'
export { jobSchema } from './job/json-schema.ts'
export { loadJob } from './job/load-job.ts'
export type { ModuleItem, ModulePage, ModuleParse, ModuleResult } from './module/module-page.ts'
export type { HostReport, ProxyReport, Report } from './observe/report.ts'
export type { ParseInput } from './run/page-input.ts'
export type { Parsed } from './run/page-reader.ts'
export { createParser, type PageParser, type ParserOptions } from './run/parse-only.ts'
export type { Progress } from './run/progress.ts'
export type { CrawlResult } from './run/results.ts'
export { type CrawlOptions, type CrawlRun, crawl } from './run/run.ts'
export type { ProxyControl } from './run/run-proxies.ts'
export {
  type Transform,
  type Transformed,
  type TransformInput,
  type TransformOptions,
  transform,
} from './run/transform.ts'
export type { DeadLetter } from './sink/dead-letter.ts'
export { version } from './version.ts'
