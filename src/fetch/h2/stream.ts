import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Dispatcher } from 'undici'
import type { AddressKind } from '../address.ts'
import type { Connection } from '../connection.ts'
import { receivedHeaders, sentHeaders } from './headers.ts'
import { http2 } from './http2.ts'
import { type StreamCode, streamCodeOf, streamError } from './stream-error.ts'

/**
 * One stream of a session, as a connection that is used once: to an exchange there is no difference, so that clocks,
 * caps, draining and endings are the same for both protocols. Closing it resets the stream alone.
 */
export interface StreamOptions {
  readonly origin: string
  readonly to: AddressKind
  readonly session: ClientHttp2Session
  /** That came on its socket so far. */
  readonly readBytes: () => number
  /** Once, when the stream is gone, or was never opened. `isSilent`: it was given up before its host said anything. */
  readonly ended: (connection: Connection, isSilent: boolean) => void
}

/** Node resets a stream whose head is larger. */
const mostHeadBytes = 2 ** 16

/** What nghttp2 makes of bytes that are no frames, or not in their order. */
const isProtocolError = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_HTTP2_ERROR'

/** Nothing is ever paused, and what ends an exchange closes its connection. */
const inert: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
}

/**
 * Tells whether the other side said that its answer is whole (END_STREAM). Node ends a stream in the same way when its
 * session goes away or it is reset without a reason, so that half a page would look like one: but then the stream is
 * closed before it is ended.
 */
function watchEnd(stream: ClientHttp2Stream): { readonly isWhole: boolean } {
  const seen = { isWhole: false }
  const { push } = stream
  stream.push = (chunk, encoding) => {
    if (chunk === null && !stream.closed) seen.isWhole = true
    return push.call(stream, chunk, encoding)
  }
  return seen
}

/** Gives what comes of a stream to a handler; `onGone` once, when it is closed. */
function relay(
  stream: ClientHttp2Stream,
  handler: Dispatcher.DispatchHandler,
  codeOf: (cause: unknown) => StreamCode,
  onGone: (isSilent: boolean) => void,
): void {
  let isSilent = true
  let isEnded = false
  let cause: unknown = null
  const seen = watchEnd(stream)

  function tellStarted(): void {
    isSilent = false
    handler.onResponseStarted?.()
  }

  function fail(code: StreamCode): void {
    // To decline is to answer, and takes its time.
    if (code === 'H2_REFUSED_STREAM' || code === 'H2_ENHANCE_YOUR_CALM') tellStarted()
    handler.onResponseError?.(inert, streamError(code, `the stream was reset (${stream.rstCode})`, cause))
  }

  stream
    .on('headers', headers => {
      tellStarted()
      handler.onResponseStart?.(inert, Number(headers[http2().constants.HTTP2_HEADER_STATUS]), {})
    })
    .on('response', headers => {
      tellStarted()
      handler.onResponseStart?.(inert, Number(headers[http2().constants.HTTP2_HEADER_STATUS]), receivedHeaders(headers))
    })
    .on('data', (chunk: Buffer) => handler.onResponseData?.(inert, chunk))
    .on('end', () => {
      isEnded = true
    })
    .on('error', error => {
      cause = error
    })
    .once('close', () => {
      const code = codeOf(cause)
      onGone(isSilent)
      if (isEnded && seen.isWhole) handler.onResponseEnd?.(inert, {})
      else fail(code)
    })
}

export function openStream({ origin, to, session, readBytes, ended }: StreamOptions): Connection {
  let stream: ClientHttp2Stream | null = null
  let isGivenUp = false
  let isGone = false
  const firstByte = readBytes()

  function codeOf(cause: unknown): StreamCode {
    const code = isProtocolError(cause) ? 'H2_INVALID' : streamCodeOf(stream?.rstCode ?? 0)
    if (code === 'H2_REFUSED_STREAM' && (session.closed || session.destroyed)) return 'H2_UNPROCESSED'
    // Node says the same to a head that is too large.
    const isFlood = code === 'H2_ENHANCE_YOUR_CALM' && !session.destroyed && readBytes() - firstByte >= mostHeadBytes
    return isFlood ? 'H2_INVALID' : code
  }

  function leave(isSilent: boolean): void {
    if (!isGone) ended(connection, isSilent)
    isGone = true
  }

  const connection: Connection = {
    origin,
    to,
    // Never for another request.
    isOpen: false,
    get isEnded() {
      return session.destroyed
    },
    dispatch({ path, headers }, handler) {
      try {
        stream = session.request(sentHeaders(origin, path, headers as readonly string[]), { endStream: true })
      } catch (thrown) {
        // The session closed, or has no number left for a stream: nothing was sent.
        leave(false)
        queueMicrotask(() =>
          handler.onResponseError?.(inert, streamError('H2_UNPROCESSED', 'the session takes no stream', thrown)),
        )
        return
      }
      handler.onRequestSent?.()
      relay(stream, handler, codeOf, isSilent => leave(isSilent && isGivenUp))
    },
    expectBody() {},
    async close() {
      isGivenUp = true
      if (stream === null) leave(false)
      else stream.close(http2().constants.NGHTTP2_CANCEL)
    },
  }
  return connection
}
