import type { JsonObject, ParseRequest } from '../core/wire.ts'

type OfAnswer = Pick<ParseRequest, 'status' | 'headers' | 'timing'>

/**
 * A request as it crosses to its thread: its values alone, in this order. Their names are the same for every page, and to
 * write and read them costs as much again.
 */
export type SentRequest = readonly [
  body: ParseRequest['body'],
  contentCoding: string,
  contentType: string,
  askedUrl: string,
  finalUrl: string,
  page: string,
  depth: number,
  fetchedAt: string,
  want: ParseRequest['want'],
  meta: JsonObject | null,
  answer: OfAnswer | null,
]

function answerOf({ status, headers, timing }: ParseRequest): OfAnswer | null {
  if (status === undefined && headers === undefined && timing === undefined) return null
  return {
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers }),
    ...(timing !== undefined && { timing }),
  }
}

export function sent(request: ParseRequest): SentRequest {
  const { body, contentCoding, contentType, askedUrl, finalUrl, page, depth, fetchedAt, want, meta = null } = request
  const answer = answerOf(request)
  return [body, contentCoding, contentType, askedUrl, finalUrl, page, depth, fetchedAt, want, meta, answer]
}

export function received(request: SentRequest): ParseRequest {
  const [body, contentCoding, contentType, askedUrl, finalUrl, page, depth, fetchedAt, want, meta, answer] = request
  return { body, contentCoding, contentType, askedUrl, finalUrl, page, depth, fetchedAt, want, meta, ...answer }
}
