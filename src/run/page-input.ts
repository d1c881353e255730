import { type Fault, faultOf } from '../core/errors.ts'
import type { JsonObject } from '../core/wire.ts'
import { isJson } from '../extract/check-options.ts'

/** A body to parse, from wherever it came. */
export interface ParseInput {
  /** Bytes are moved to a worker and gone afterwards, unless they are a view of a larger buffer. */
  readonly body: Uint8Array | string
  /** Where the page was found: base of its links, and what the page rules look at. */
  readonly url: string
  /** Name of the page rule; left out: the first that fits the URL. */
  readonly page?: string
  /** As in the Content-Type header; of text, what kind it is and not how it was encoded. Left out: the bytes decide. */
  readonly contentType?: string
  /** As in the Content-Encoding header. Left out: none. */
  readonly contentCoding?: string
  /** For fields that ask for them: as a seed has it, and as they came from a server. */
  readonly meta?: JsonObject
  readonly status?: number
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Check {
  readonly accepts: (value: unknown) => boolean
  readonly accepted: string
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBytes = (value: unknown): boolean => value instanceof Uint8Array && !(value.buffer as ArrayBuffer).detached

const text: Check = { accepts: isText, accepted: 'a string' }

const checks: Readonly<Record<keyof ParseInput, Check>> = {
  url: text,
  body: {
    accepts: value => isText(value) || isBytes(value),
    accepted: 'a string or a Uint8Array whose memory has not been moved away',
  },
  page: text,
  contentType: text,
  contentCoding: text,
  meta: { accepts: value => isRecord(value) && isJson(value), accepted: 'an object of JSON values' },
  status: { accepts: Number.isInteger, accepted: 'a whole number' },
  headers: {
    accepts: value => isRecord(value) && Object.values(value).every(isText),
    accepted: 'an object of strings',
  },
}

const names = Object.keys(checks) as (keyof ParseInput)[]

/**
 * What is wrong with a page that a program hands in; null: nothing. What cannot cross to a thread would end the task
 * that it travels with, and look like the death of a thread.
 */
export function faultOfInput(input: ParseInput): Fault | null {
  const wrong = names.find(name => {
    const value: unknown = input[name]
    const isLeftOut = value === undefined && name !== 'url' && name !== 'body'
    return !isLeftOut && !checks[name].accepts(value)
  })
  if (wrong === undefined) return null
  const where = isText(input.url) ? `${input.url}: ` : ''
  const value: unknown = input[wrong]
  const given = typeof value === 'object' && value !== null ? 'what was given' : String(value)
  return faultOf('CONFIG_INVALID', `${where}\`${wrong}\`: ${given} is not accepted; expected ${checks[wrong].accepted}`)
}
