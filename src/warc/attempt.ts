import type { Outcome } from '../core/outcome.ts'
import type { Page, Timing } from '../core/page.ts'
import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { JsonObject } from '../core/wire.ts'
import { exchangeRecords, type Field, member, record, recordId } from './record.ts'

/**
 * Attempts in a web archive. One that brought a page is an exchange like any other, which every reader of archives knows;
 * fields of its record say whose page it was and how long it took. One that brought none is a `metadata` record of JSON:
 * what a server sent is not there any more then, and an archive must not claim to have it.
 */
export interface Attempt {
  /** As it was sent. */
  readonly url: string
  /** ISO wall time of its end. */
  readonly at: string
  readonly task: AttemptTask
  /** With all that passed before anything was sent: for those that brought no answer, whose timing says nothing. */
  readonly tookMs: number
  readonly ended: AnsweredAttempt | OtherAttempt
}

/** What of a task its items depend on. */
export type AttemptTask = Pick<Task, 'askedUrl' | 'page' | 'depth' | 'session'> & { readonly meta: JsonObject | null }

/** Without the body, which goes its own way. */
export interface AnsweredAttempt extends Pick<Page, 'status' | 'headers' | 'timing'> {
  readonly kind: 'page'
}

export type OtherAttempt = Exclude<Outcome, { readonly kind: 'page' }>

/** Record fields that are ours. */
const taskField = 'Millrace-Task'
const outcomeType = 'application/vnd.millrace.outcome+json'

/** Speed matters more than size: it is written while pages are parsed. */
const effort = 1

/** In one line of ASCII, whatever is in it: heads of records are read as Latin-1. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const withoutSecrets = (ended: OtherAttempt): OtherAttempt =>
  ended.kind === 'moved' ? { ...ended, url: withoutCredentials(ended.url) } : ended

/** Its records, compressed. `body`: of a page, as it came off the wire. */
export function attemptRecords(attempt: Attempt, body: Uint8Array, userAgent: string): Uint8Array {
  const { at, ended, tookMs } = attempt
  const url = withoutCredentials(attempt.url)
  const task: AttemptTask = { ...attempt.task, askedUrl: withoutCredentials(attempt.task.askedUrl) }
  const fields: readonly Field[] = [[taskField, asciiJson(task)]]
  if (ended.kind === 'page') return exchangeRecords({ ...ended, url, at, userAgent, body, fields }, true, effort)
  const block = new TextEncoder().encode(asciiJson({ tookMs, outcome: withoutSecrets(ended) }))
  return member(
    record(
      [
        ['WARC-Type', 'metadata'],
        ['WARC-Record-ID', recordId('outcome', url, at, String(tookMs))],
        ['WARC-Target-URI', url],
        ['WARC-Date', at],
        ['Content-Type', outcomeType],
        ...fields,
      ],
      '',
      block,
    ),
    effort,
  )
}

export const isOutcomeRecord = (fields: Readonly<Record<string, string>>): boolean =>
  fields['warc-type'] === 'metadata' && fields['content-type'] === outcomeType

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null: the record is not of a run of ours, or was changed by hand. */
export function taskOfRecord(fields: Readonly<Record<string, string>>): AttemptTask | null {
  const read = parsed(fields[taskField.toLowerCase()])
  if (!isObject(read)) return null
  const { askedUrl, page, depth, session = null, meta = null } = read
  if (typeof askedUrl !== 'string' || !URL.canParse(askedUrl) || typeof page !== 'string') return null
  return {
    askedUrl,
    page,
    depth: Number.isSafeInteger(depth) ? (depth as number) : 0,
    session: typeof session === 'string' ? session : null,
    meta: isObject(meta) ? (meta as JsonObject) : null,
  }
}

/** Null where the archive does not say. */
export function timingOfRecord(fields: Readonly<Record<string, string>>): Timing | null {
  const [connectMs, firstByteMs, totalMs, ...more] = (fields['millrace-timing'] ?? '').split(' ').map(Number)
  if (connectMs === undefined || firstByteMs === undefined || totalMs === undefined || more.length > 0) return null
  return [connectMs, firstByteMs, totalMs].every(ms => Number.isFinite(ms) && ms >= 0)
    ? { connectMs, firstByteMs, totalMs }
    : null
}

const otherKinds: readonly unknown[] = ['throttled', 'gone', 'moved', 'failed'] satisfies OtherAttempt['kind'][]

/** Null: the block is none of ours. */
export function outcomeOfRecord(
  block: Uint8Array,
): (Pick<Attempt, 'tookMs'> & { readonly ended: OtherAttempt }) | null {
  const read = parsed(new TextDecoder().decode(block))
  if (!isObject(read) || !isObject(read.outcome) || !otherKinds.includes(read.outcome.kind)) return null
  return { tookMs: Number(read.tookMs) || 0, ended: read.outcome as unknown as OtherAttempt }
}

/**
 * The headers of a page as they came: in an archive the framing of its transfer is kept under another name, and its length
 * is there even where it was not sent.
 */
export function headersOfAttempt(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'x-orig-transfer-encoding': framing, 'content-length': length, ...rest } = headers
  if (framing !== undefined) return { ...rest, 'transfer-encoding': framing }
  return length === undefined ? rest : { ...rest, 'content-length': length }
}
