import { type ErrorCode, messageOf } from '../core/errors.ts'
import type { Broken } from './ending.ts'

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The connection went away, whatever was being done on it. */
const losses = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT'])

/** Codes of undici that say what an answer lacked. */
const answerCodes: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'RESPONSE_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'RESPONSE_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'RESPONSE_INVALID',
  ERR_ASSERTION: 'RESPONSE_INVALID',
  H2_INVALID: 'RESPONSE_INVALID',
  UND_ERR_INVALID_ARG: 'INVARIANT',
}

/** Whether the bytes were wrong, and not only too few. */
function isMalformed({ error, isEnded, progress }: Broken): boolean {
  switch (codeOf(error)) {
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return progress.head === null
    case 'UND_ERR_SOCKET':
      // undici hangs up on what it cannot accept, such as an unasked 101, with the code of a lost connection.
      return !isEnded && progress.timing !== null
    default:
      // At the end of a connection the parser complains that its message is not over. Its errors have no code.
      return error.name === 'HTTPParserError' && !isEnded
  }
}

/** No answer, a part of one, or something else: by how far it had come when the connection went. */
function answerCodeOf(broken: Broken): ErrorCode {
  const known = answerCodes[codeOf(broken.error)]
  if (known !== undefined) return known
  if (isMalformed(broken)) return 'RESPONSE_INVALID'
  return broken.progress.timing === null ? 'CONNECT_FAILED' : 'RESPONSE_TRUNCATED'
}

export function brokenCodeOf(broken: Broken): ErrorCode {
  const code = codeOf(broken.error)
  switch (broken.stage) {
    case 'lookup':
      return 'DNS_FAILED'
    case 'connect':
      return code === 'ETIMEDOUT' ? 'CONNECT_TIMEOUT' : 'CONNECT_FAILED'
    case 'handshake':
      return losses.has(code) ? 'CONNECT_FAILED' : 'TLS_FAILED'
    case 'answer':
      return answerCodeOf(broken)
    default:
      return broken.stage satisfies never
  }
}

/**
 * A kept connection failed before there was an answer on it: the server closed it just as we wrote, or what came was
 * left over from the answer before. Either way our request was not answered, and a GET may be sent again.
 */
export function isStale(broken: Broken): boolean {
  const code = brokenCodeOf(broken)
  return broken.progress.head === null && (code === 'CONNECT_FAILED' || code === 'RESPONSE_INVALID')
}

/** Errors repeat what the other side sent, a certificate's names for one: no line breaks or escapes out of there. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 300)

/** Why, in words; the code too where the words lack it. */
export function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '')
    return plain(error.errors.map(each => messageOf(each)).join(', '))
  const code = codeOf(error)
  return plain(code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`)
}
