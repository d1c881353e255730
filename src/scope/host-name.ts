import { type HostKey, hostKey } from '../core/url.ts'

/**
 * A host as a job names it, in the spelling of host keys: `Books.test` for every port of it, `books.test:8080` for
 * that port. Null when it is no host: a URL, a pattern, a path.
 */
export function hostName(text: string): string | null {
  if (!/^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]*\\]+)(?::\d{1,5})?$/i.test(text)) return null
  const url = URL.parse(`http://${text}`)
  return url === null ? null : hostKey(url)
}

/** The host of a host key, without its port. */
export const withoutPort = (key: string): string => key.replace(/:\d+$/, '')

/** Whether a list of host keys and names has this host, by its key or by its name for every port. */
export const namesHost = (names: readonly string[], host: HostKey): boolean =>
  names.includes(host) || names.includes(withoutPort(host))
