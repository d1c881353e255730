/** Whose standing changes when a code occurs. */
export type Blame = 'host' | 'proxy' | 'content' | 'caller' | 'self'
/**
 * What asking again could bring: nothing, something after a while, something through another proxy, or the certainty that
 * it was this page and not what its thread had been through before.
 */
export type Retry = 'never' | 'later' | 'elsewhere' | 'once'

/**
 * The closed table of error codes. Callers branch on the code, never on the text. A new code is a new row here
 * and a new row in the README; nothing else in the project decides what is retried or who is blamed.
 */
export const errorTraits = {
  DNS_FAILED: { blame: 'host', retry: 'later', meaning: 'the host name has no address, or the resolver failed' },
  CONNECT_FAILED: { blame: 'host', retry: 'later', meaning: 'the connection was refused, reset or unreachable' },
  CONNECT_TIMEOUT: { blame: 'host', retry: 'later', meaning: 'no connection within timeouts.connectMs' },
  TLS_FAILED: { blame: 'host', retry: 'never', meaning: 'the certificate or the TLS handshake was not acceptable' },
  RESPONSE_TIMEOUT: {
    blame: 'host',
    retry: 'later',
    meaning: 'no first byte, a stalled or dripping body, or the total time was used up',
  },
  RESPONSE_INVALID: { blame: 'host', retry: 'later', meaning: 'what came back is not HTTP' },
  RESPONSE_TRUNCATED: { blame: 'host', retry: 'later', meaning: 'the body ended before its declared or framed end' },
  SERVER_ERROR: { blame: 'host', retry: 'later', meaning: 'a 5xx answer' },
  HTTP_STATUS: { blame: 'content', retry: 'never', meaning: 'a final answer other than success, such as 404 or 403' },
  THROTTLED: {
    blame: 'host',
    retry: 'later',
    meaning: 'the host kept asking to wait (429, 5xx) past retries.totalWaitMs',
  },
  REDIRECT_INVALID: {
    blame: 'content',
    retry: 'never',
    meaning: 'a redirect without a target, or to a scheme that is not allowed',
  },
  REDIRECT_LIMIT: { blame: 'content', retry: 'never', meaning: 'too many redirects, or a loop of them' },
  ADDRESS_REFUSED: {
    blame: 'content',
    retry: 'never',
    meaning: 'a page of the public web leads to an address that is not public',
  },
  PROXY_FAILED: { blame: 'proxy', retry: 'elsewhere', meaning: 'the proxy refused, failed or stayed silent' },
  BLOCKED: {
    blame: 'host',
    retry: 'elsewhere',
    meaning: 'the site says "not you": a block sign on the page, or a status that only some proxies get',
  },
  BODY_TOO_LARGE: {
    blame: 'content',
    retry: 'never',
    meaning: 'the body, as sent or decoded, is larger than limits.bodyBytes',
  },
  CONTENT_TYPE: { blame: 'content', retry: 'never', meaning: 'the page is not of a type that can be parsed' },
  DECODE_FAILED: { blame: 'content', retry: 'never', meaning: 'the content coding is unknown or its data is broken' },
  PARSE_FAILED: { blame: 'content', retry: 'never', meaning: 'extraction failed on this page' },
  FIELD_MISSING: {
    blame: 'content',
    retry: 'never',
    meaning: 'a page, or one item of it, has no value for a required field',
  },
  PARSE_TIMEOUT: { blame: 'content', retry: 'never', meaning: 'parsing took longer than timeouts.parseMs' },
  PARSE_CRASHED: {
    blame: 'content',
    retry: 'once',
    meaning: 'the worker thread died while parsing this page, or was told to exit',
  },
  PARSE_UNBEGUN: {
    blame: 'self',
    retry: 'later',
    meaning: 'no thread began with the page: it waited too long for one, or was lost with one',
  },
  STORE_FAILED: { blame: 'self', retry: 'never', meaning: 'the task store could not be read or written' },
  LEASE_LOST: { blame: 'self', retry: 'never', meaning: 'another holder has this task by now' },
  SINK_FAILED: { blame: 'self', retry: 'never', meaning: 'an output file could not be written' },
  CONFIG_INVALID: { blame: 'caller', retry: 'never', meaning: 'a job, an option or a command line is not acceptable' },
  ABORTED: { blame: 'caller', retry: 'later', meaning: 'the run was stopped while this was under way' },
  INVARIANT: { blame: 'self', retry: 'never', meaning: 'a promise inside Millrace was broken: please report it' },
} as const satisfies Record<string, { blame: Blame; retry: Retry; meaning: string }>

export type ErrorCode = keyof typeof errorTraits

/** An error as plain data: what crosses a thread, a journal or an event. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
}

/** The one error class. `message` says what happened, to which URL or option, and what would be accepted. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const faultOf = (code: ErrorCode, message: string): Fault => ({ code, message })

/** The same, told by where it happened: a URL, a line of a file. */
export const faultAt = (place: string, { code, message }: Fault): Fault => faultOf(code, `${place}: ${message}`)

/** What any thrown value says. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** A file that is written did not go as it should: `what` goes on from its path. */
export const sinkFailure = (path: string, what: string, cause: unknown): MillraceError =>
  new MillraceError('SINK_FAILED', `${path} ${what}: ${messageOf(cause)}`, { cause })

/** Any thrown value as a fault: our own errors keep their code, everything else gets `fallback`. */
export function toFault(thrown: unknown, fallback: ErrorCode): Fault {
  if (thrown instanceof MillraceError) return faultOf(thrown.code, thrown.message)
  return faultOf(fallback, messageOf(thrown))
}
