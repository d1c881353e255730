import { isIP } from 'node:net'
import type { ProxyAddress } from '../../core/route.ts'
import { type Dialogue, exactly } from './dialogue.ts'
import { refused, type Tunnel } from './refusal.ts'

const version = 5
const methods = { none: 0, login: 2 }
const types = { v4: 1, name: 3, v6: 4 }
const mostBytes = 255

const codes: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'kind of address not supported',
}

const open: Tunnel = { kind: 'open', doubtfulStatus: null }
const silent: Tunnel = { kind: 'silent' }
const notSocks = refused('connect', 'its answer is no SOCKS 5')

/** @param address of IPv6, as URLs and resolvers write it */
function bytesOfV6(address: string): readonly number[] {
  const [bare = ''] = address.split('%')
  // An IPv4 address at its end is written as two groups.
  const hex = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) =>
    [0, 2].map(at => (Number(parts[at]) * 256 + Number(parts[at + 1])).toString(16)).join(':'),
  )
  const [head = '', tail = ''] = hex.split('::')
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].flatMap(group => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

function addressBytes(host: string): readonly number[] {
  switch (isIP(host)) {
    case 4:
      return [types.v4, ...host.split('.').map(Number)]
    case 6:
      return [types.v6, ...bytesOfV6(host)]
    default:
      return [types.name, Buffer.byteLength(host), ...Buffer.from(host)]
  }
}

/** Of the whole reply to a request. */
function replyLength(heard: Buffer): number {
  if (heard[0] !== version) return heard.length
  if (heard.length < 5) return 0
  const known: Readonly<Record<number, number>> = { [types.v4]: 4, [types.v6]: 16, [types.name]: 1 + (heard[4] ?? 0) }
  const bytes = known[heard[3] ?? 0]
  return bytes === undefined ? heard.length : exactly(4 + bytes + 2)(heard)
}

async function login(
  dialogue: Dialogue,
  { user, password }: NonNullable<ProxyAddress['credentials']>,
): Promise<Tunnel> {
  const [userBytes, passwordBytes] = [Buffer.from(user), Buffer.from(password)]
  if (Math.max(userBytes.length, passwordBytes.length) > mostBytes)
    return refused('denied', `SOCKS has room for ${mostBytes} bytes of a user name or a password, and one is longer`)
  dialogue.say(Buffer.from([1, userBytes.length, ...userBytes, passwordBytes.length, ...passwordBytes]))
  const answer = await dialogue.hear(exactly(2))
  if (answer === null) return silent
  return answer[1] === 0 ? open : refused('denied', 'refused the user name or the password')
}

/**
 * SOCKS 5 (RFC 1928) with a user name and a password (RFC 1929), as far as connecting goes.
 *
 *     greeting   05 n methods                      ->  05 method
 *     login      01 |user| user |pass| pass        ->  01 status
 *     request    05 01 00 type address port        ->  05 code 00 type address port
 *
 * Of our own, for a refusal has to be told by its code, and the deadline is that of the whole attempt. Where there are
 * credentials nothing else is offered: a gateway that lets us in without them would not know whose exit is asked for.
 *
 * @param host an address, or a name that the proxy is to resolve
 */
export async function askSocks(
  dialogue: Dialogue,
  host: string,
  port: number,
  { credentials }: ProxyAddress,
): Promise<Tunnel> {
  const method = credentials === null ? methods.none : methods.login
  dialogue.say(Buffer.from([version, 1, method]))
  const chosen = await dialogue.hear(heard => (heard[0] === version ? exactly(2)(heard) : heard.length))
  if (chosen === null) return silent
  if (chosen[0] !== version) return notSocks
  if (chosen[1] !== method)
    return refused('denied', credentials === null ? 'wants a user name and a password' : 'takes no user name')
  const admitted: Tunnel = credentials === null ? open : await login(dialogue, credentials)
  if (admitted.kind !== 'open') return admitted
  dialogue.say(Buffer.from([version, 1, 0, ...addressBytes(host), port >> 8, port & 255]))
  const reply = await dialogue.hear(replyLength)
  if (reply === null) return silent
  const code = reply[1] ?? 1
  if (reply[0] !== version || reply.length < 7) return notSocks
  if (code !== 0) return refused('refused', `answered with code ${code} of SOCKS: ${codes[code] ?? 'unknown'}`)
  // A client of HTTP speaks first, and one of TLS too.
  if (dialogue.surplus.length > 0) return refused('refused', 'sent bytes of its own where the host is to answer')
  return open
}
