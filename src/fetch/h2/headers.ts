import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'

/** Of one connection, and not of the message (RFC 9113, 8.2.2); `host` is `:authority` here. */
const ofTheConnection = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/**
 * The headers of a GET. Cookies go as a field each (RFC 9113, 8.2.3): those that stay the same are then sent as a
 * reference to the request before.
 */
export function sentHeaders(origin: string, path: string, flat: readonly string[]): OutgoingHttpHeaders {
  const { protocol, host } = new URL(origin)
  const headers: OutgoingHttpHeaders = {
    ':method': 'GET',
    ':scheme': protocol.slice(0, -1),
    ':authority': host,
    ':path': path,
  }
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at]?.toLowerCase() ?? ''
    const value = flat[at + 1] ?? ''
    if (!ofTheConnection.has(name)) headers[name] = name === 'cookie' ? value.split(/; */) : value
  }
  return headers
}

/** Without those that have no name of a header. */
export const receivedHeaders = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(':') || value === undefined ? [] : [[name, value]],
    ),
  )
