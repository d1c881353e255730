import { hash } from 'node:crypto'
import { withoutCredentials } from '../core/url.ts'
import type { Wanted } from './cache.ts'

/**
 * Which stored answer belongs to a request.
 *
 * An entry is found by what was asked for and as whom: the URL, the session, the place, and every header that is not of content
 * negotiation. So a page that was sent to somebody with a key or a password is never shown to anybody without. Among
 * the entries of one such key the right one is chosen by the headers that its answer named in `Vary`, and by the cookies
 * that were sent, whether named or not: sites that forget to name them are many.
 *
 * Values are kept as hashes: cookies and passwords are of no use to whoever reads the file.
 */
export interface Selection {
  readonly [header: string]: string
}

/** These say who asks, and how the bytes may be packed. An old answer is wanted as it is, whoever asked for it. */
const looseNames = new Set(['cookie', 'user-agent', 'accept-encoding'])

const negotiating = new Set(['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cookie', 'user-agent'])

const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)

type Flat = readonly string[]

function sentValue(headers: Flat, sought: string): string {
  const values: string[] = []
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.toLowerCase() === sought) values.push((headers[at + 1] ?? '').trim())
  return values.join(', ')
}

/** The headers of a job are the same list again and again. */
const identities = new WeakMap<Flat, string>()

function identityOf(headers: Flat): string {
  const known = identities.get(headers)
  if (known !== undefined) return known
  const lines: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? ''
    if (!negotiating.has(name)) lines.push(`${name}: ${headers[at + 1]}`)
  }
  const identity = lines.sort().join('\n')
  identities.set(headers, identity)
  return identity
}

/** 22 letters for what is asked for, and as whom. */
export const keyOf = ({ task, headers }: Wanted): string =>
  digest(`${withoutCredentials(task.url)}\n${task.session ?? ''}\n${task.geo ?? ''}\n${identityOf(headers)}`)

export const varyNames = (vary: string | undefined): readonly string[] =>
  (vary ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** What a request must agree in to be given an answer with this `Vary`. */
export function selectionOf(vary: string | undefined, headers: Flat): Selection {
  const names = new Set(['cookie', ...varyNames(vary)].sort())
  return Object.fromEntries([...names].map(name => [name, digest(sentValue(headers, name))]))
}

/** @param isLoose an answer is wanted whatever cookies, user agent and codings it was sent for */
export const fits = (selection: Selection, headers: Flat, isLoose: boolean): boolean =>
  Object.entries(selection).every(
    ([name, value]) => (isLoose && looseNames.has(name)) || value === digest(sentValue(headers, name)),
  )
