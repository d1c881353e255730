import type { ParseRequest } from '../core/wire.ts'
import { exchangeRecords } from './record.ts'

/** How the pages of a job are archived. Plain data that crosses to the workers. */
export interface ArchiveRules {
  readonly userAgent: string
  /** Each record is compressed by itself. */
  readonly compress: boolean
}

/** The records of a page that is about to be read. */
export function pageRecords(request: ParseRequest, { userAgent, compress }: ArchiveRules): Uint8Array<ArrayBuffer> {
  const { finalUrl, fetchedAt, status = 200, headers = {}, body, timing } = request
  const exchange = { url: finalUrl, at: fetchedAt, userAgent, status, headers, body }
  return exchangeRecords(timing === undefined ? exchange : { ...exchange, timing }, compress)
}
