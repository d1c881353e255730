import type { ProxyAddress } from '../../core/route.ts'

type Credentials = NonNullable<ProxyAddress['credentials']>

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** The value of a Proxy-Authorization header (RFC 7617, in UTF-8). */
export const authorizationOf = ({ user, password }: Credentials): string => `Basic ${base64(`${user}:${password}`)}`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, sign => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign] ?? ''};`)

/** Each way in which one of them may be repeated, in lower case. */
function spellingsOf({ user, password }: Credentials): readonly string[] {
  const secrets = [user, password].filter(text => text !== '')
  return [`${user}:${password}`, ...secrets]
    .flatMap(text => [text, encodeURIComponent(text), escaped(text), base64(text).replace(/=+$/, '')])
    .flatMap(text => [text, text.replaceAll('+', '-').replaceAll('/', '_'), JSON.stringify(text).slice(1, -1)])
    .map(text => text.toLowerCase())
}

/**
 * Whether a text of the proxy's may be shown: some repeat what they were asked, credentials and all. A text that does
 * is left out whole: cutting them out of it would leave their shape behind.
 */
export function repeatsCredentials(text: string, credentials: ProxyAddress['credentials']): boolean {
  if (credentials === null) return false
  const lower = text.toLowerCase()
  return spellingsOf(credentials).some(spelling => lower.includes(spelling))
}
