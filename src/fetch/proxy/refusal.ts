import type { ProxyAddress } from '../../core/route.ts'
import type { ProxyFault } from '../ending.ts'
import { repeatsCredentials } from './credentials.ts'

/** What a proxy said no with. */
export type Refusal = Pick<ProxyFault, 'failure' | 'status' | 'detail'>

/** What a proxy came to that was asked for a way to a host. */
export type Tunnel =
  /** With a status where it is one only by that: the proxy declares a page, and it is the host who should speak now. */
  | { readonly kind: 'open'; readonly doubtfulStatus: number | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The dialogue is over; it knows why. */
  | { readonly kind: 'silent' }

export const refused = (failure: Refusal['failure'], detail: string, status: number | null = null): Tunnel => ({
  kind: 'refused',
  refusal: { failure, status, detail },
})

/** Some proxies use the status of hosts for it, tinyproxy for one. */
export const isDenial = (status: number): boolean => status === 407 || status === 401

const longestText = 200

/** A page of the proxy's in one line: without markup and control characters. */
const lineOf = (text: string): string =>
  text
    .replace(/<(style|script|title|head)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, longestText)

/** Its own words behind ours; left out where they repeat the credentials. */
export function withItsWords(
  sentence: string,
  words: readonly string[],
  credentials: ProxyAddress['credentials'],
): string {
  // Judged as it came: what is left out of the line could have held a part of them.
  if (words.some(text => repeatsCredentials(text, credentials))) return `${sentence}, with a text that is not shown`
  const lines = words.map(lineOf).filter(line => line !== '' && !repeatsCredentials(line, credentials))
  return lines.length === 0 ? sentence : `${sentence}: ${lines.join('; ')}`
}
