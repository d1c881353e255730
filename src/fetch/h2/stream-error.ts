import type { Ending } from '../ending.ts'
import { http2 } from './http2.ts'

/** Why a stream ended before its answer was whole, as codes of errors: `classify` and the retry of an attempt read them. */
export type StreamCode =
  /** The session ended before the host began with the request: it goes again at once, elsewhere (RFC 9113, 8.7). */
  | 'H2_UNPROCESSED'
  /** The host would not begin with the request, though the session goes on: these are too many for it. */
  | 'H2_REFUSED_STREAM'
  /** The host wants fewer of them. */
  | 'H2_ENHANCE_YOUR_CALM'
  /** Not over this protocol. */
  | 'H2_HTTP_1_1_REQUIRED'
  /** What came is not HTTP/2, or more of it than any honest answer has. */
  | 'H2_INVALID'
  /** The connection or the stream went away. */
  | 'H2_LOST'

export function streamCodeOf(rstCode: number): StreamCode {
  const { constants } = http2()
  switch (rstCode) {
    case constants.NGHTTP2_REFUSED_STREAM:
      return 'H2_REFUSED_STREAM'
    case constants.NGHTTP2_ENHANCE_YOUR_CALM:
      return 'H2_ENHANCE_YOUR_CALM'
    case constants.NGHTTP2_HTTP_1_1_REQUIRED:
      return 'H2_HTTP_1_1_REQUIRED'
    case constants.NGHTTP2_PROTOCOL_ERROR:
    case constants.NGHTTP2_FLOW_CONTROL_ERROR:
    case constants.NGHTTP2_STREAM_CLOSED:
    case constants.NGHTTP2_FRAME_SIZE_ERROR:
    case constants.NGHTTP2_COMPRESSION_ERROR:
      return 'H2_INVALID'
    default:
      return 'H2_LOST'
  }
}

export const streamError = (code: StreamCode, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code })

const codeOf = (ending: Ending): unknown =>
  ending.kind === 'broken' && 'code' in ending.error ? ending.error.code : null

export const isUnprocessed = (ending: Ending): boolean => codeOf(ending) === 'H2_UNPROCESSED'

export const wantsHttp1 = (ending: Ending): boolean => codeOf(ending) === 'H2_HTTP_1_1_REQUIRED'

/** What 503 and 429 say, in a layer below them; null for other errors. */
export function declinedStatus(error: Error): number | null {
  if (!('code' in error)) return null
  if (error.code === 'H2_REFUSED_STREAM') return 503
  return error.code === 'H2_ENHANCE_YOUR_CALM' ? 429 : null
}

/** A request that was on its way when its connection went, without a sign of an answer: a GET may be sent again. */
export const isLostUnanswered = (ending: Ending): boolean =>
  codeOf(ending) === 'H2_LOST' && ending.kind === 'broken' && ending.progress.head === null
