import type { Path, Problems } from './problems.ts'

export type Headers = Readonly<Record<string, string>>

/** Their values follow from the connection, the body or another key of the job; a second opinion breaks requests. */
const managed = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What a header may carry (RFC 9110, 5.5): a line break in it would begin a header of its own. */
const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

const headerText = 'text on one line, in characters of Latin-1'

/** Names in lower case. Values are never shown: they may be secrets. */
export function checkHeaders(
  headers: Readonly<Record<string, string | number>> | undefined,
  path: Path,
  problems: Problems,
): Headers {
  const checked = new Map<string, string>()
  for (const [name, given] of Object.entries(headers ?? {})) {
    const key = name.toLowerCase()
    const value = String(given)
    if (!/^[!#$%&'*+\-.^_`|~\da-z]+$/.test(key)) problems.say([...path, name], 'this is not the name of a header')
    else if (key === 'user-agent')
      problems.say([...path, name], 'write it as `userAgent` of the job: robots files are read by it')
    else if (managed.has(key)) problems.say([...path, name], 'this header is set by the client itself; leave it out')
    else if (checked.has(key)) problems.say([...path, name], 'this header is given twice')
    else if (!isHeaderText(value)) problems.say([...path, name], `the value is not accepted; expected ${headerText}`)
    else checked.set(key, value.trim())
  }
  return Object.fromEntries(checked)
}

/** Whether a header proves who we are, by its name: `Authorization`, `Cookie`, `X-Api-Key`, `Private-Token` and the like. */
export const isSecret = (name: string): boolean =>
  /^(?:authorization|cookie)$|(?:^|-)(?:api-?key|auth|token|secret)(?:-|$)/i.test(name)

/** Page rules fit any host that their pattern does, and secrets are for one. */
export function checkPageHeaders(
  headers: Readonly<Record<string, string | number>> | undefined,
  path: Path,
  problems: Problems,
): Headers {
  for (const name of Object.keys(headers ?? {}))
    if (isSecret(name))
      problems.say([...path, name], 'this looks like a secret; write it under `hosts`, for the host it is meant for')
  return checkHeaders(headers, path, problems)
}

/** What requests are sent as, with the way to whoever answers for them. */
export function checkUserAgent(userAgent: string, contact: string | undefined, problems: Problems): string {
  if (!isHeaderText(userAgent) || userAgent.trim() === '') problems.refuse(['userAgent'], userAgent, headerText)
  if (contact === undefined) return userAgent.trim()
  const url = URL.parse(contact)
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol) || /[()]/.test(url.href))
    problems.refuse(['contact'], contact, 'the URL of a page about the project (https://...), or mailto:...')
  return `${userAgent.trim()} (+${url?.href ?? contact})`
}
