/** How a proxy is spoken to. `socks5h` leaves the host name to the proxy, `socks5` resolves it here. */
export type ProxyProtocol = 'http' | 'https' | 'socks5' | 'socks5h'

/** Where a proxy listens, and as whom it is asked. */
export interface ProxyAddress {
  readonly protocol: ProxyProtocol
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Decoded, with what a template leaves open filled in. Secrets: never in a message, an event, a file or a key of one. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** One proxy as a job names it: its user name and password may have gaps that each lease fills. */
export interface ProxySpec {
  readonly address: ProxyAddress
  /** Where its exit is; null: nobody said, and it is a region of its own. */
  readonly region: string | null
  /** Its part of the requests, beside others. */
  readonly weight: number
  /** What messages, events and reports call it. */
  readonly label: string
  /** The label: whatever is written as JSON, be it a state or a report, has no credentials in it. */
  toJSON(): string
}

/**
 * Who may use a connection through a proxy again:
 *
 *     fresh    nobody: one for each attempt, closed after it, so that a rotating gateway gives a new exit each time
 *     sticky   attempts of the same session, to the same proxy with the same credentials; those without a session
 *              share one identity
 *     pooled   every attempt to the same proxy with the same credentials
 *
 * Always to the same origin as well, and never to a proxy as somebody else.
 */
export type ConnectionPolicy = 'fresh' | 'sticky' | 'pooled'

/** The way that one attempt takes to its host, where it does not go there directly. */
export interface Route {
  readonly proxy: ProxyAddress
  readonly connection: ConnectionPolicy
  /**
   * The identity that the attempt has: it carries a cookie jar of its own, and in `sticky` a connection. It is not the
   * session of the task: a session that is worn out goes on under a new identity. Null for tasks without a session.
   */
  readonly sessionKey: string | null
  /** Where the exit is, as far as the job says; what blocks are compared by. */
  readonly region: string
  /** What of the proxy may be shown. */
  readonly label: string
}

/** What a proxy did wrong, beside the code PROXY_FAILED. */
export type ProxyFailure =
  /** No connection to it, or it hung up. */
  | 'connect'
  /** It stayed silent until the deadline: dearest, as a permit is held all the while. */
  | 'timeout'
  /** It answered, and the answer was no: a status in reply to CONNECT, or a code of SOCKS. */
  | 'refused'
  /** It wants other credentials (407, or the like of it in SOCKS). */
  | 'denied'
