import type { Path, Problems } from './problems.ts'

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

export const headerText = 'text on one line, in characters of Latin-1'

/** Names in lower case. */
export function checkHeaders(
  headers: Readonly<Record<string, string | number>> | undefined,
  path: Path,
  problems: Problems,
): Readonly<Record<string, string>> {
  const checked = new Map<string, string>()
  for (const [name, given] of Object.entries(headers ?? {})) {
    const key = name.toLowerCase()
    const value = String(given)
    if (!/^[!#$%&'*+\-.^_`|~\da-z]+$/.test(key)) problems.say([...path, name], 'this is not the name of a header')
    else if (key === 'user-agent')
      problems.say([...path, name], 'write it as `userAgent` of the job: robots files are read by it')
    else if (managed.has(key)) problems.say([...path, name], 'this header is set by the client itself; leave it out')
    else if (checked.has(key)) problems.say([...path, name], 'this header is given twice')
    else if (!isHeaderText(value)) problems.refuse([...path, name], value, headerText)
    else checked.set(key, value.trim())
  }
  return Object.fromEntries(checked)
}

export function checkUserAgent(userAgent: string, problems: Problems): string {
  if (!isHeaderText(userAgent) || userAgent.trim() === '') problems.refuse(['userAgent'], userAgent, headerText)
  return userAgent.trim()
}
