import { unknownPlaceholders } from '../core/proxy-template.ts'
import type { ProxyProtocol, ProxySpec } from '../core/route.ts'
import type { ProxyLine, ProxyTraits } from './job.ts'

/**
 * A proxy as it is written: `http://user:password@host:port`, or as the lists of sellers have it, `host:port` and
 * `host:port:user:password`. What is wrong is told without repeating the line, since it has a password in it.
 */
export type ReadProxy =
  | { readonly kind: 'proxy'; readonly spec: ProxySpec }
  | { readonly kind: 'wrong'; readonly accepted: string }

export const proxyText = 'a proxy such as http://user:password@host:port, socks5://host:1080 or host:port:user:password'

/** Of HTTP there is none that proxies usually have: 80 is that of servers. */
const usualPorts: Readonly<Record<ProxyProtocol, number | null>> = {
  http: null,
  https: 443,
  socks5: 1080,
  socks5h: 1080,
}
const aliases: Readonly<Record<string, ProxyProtocol>> = {
  http: 'http',
  https: 'https',
  socks: 'socks5h',
  socks5: 'socks5',
  socks5h: 'socks5h',
}
const seller = /^([^\s:/@]+):(\d+):([^\s:]+):(\S+)$/
const address = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:(\S*)@)?(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::(\d+))?\/?$/i

const wrong = (accepted: string): ReadProxy => ({ kind: 'wrong', accepted })

/** A percent sign that begins no escape is one of the password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface Parts {
  readonly protocol: ProxyProtocol
  readonly host: string
  readonly port: number
  readonly credentials: { readonly user: string; readonly password: string } | null
}

function partsOf(text: string): Parts | string {
  const [, sellerHost, sellerPort, user, password] = seller.exec(text) ?? []
  if (sellerHost !== undefined && user !== undefined && password !== undefined)
    return { protocol: 'http', host: sellerHost, port: Number(sellerPort), credentials: { user, password } }
  const [whole, scheme = 'http', login, host = '', port] = address.exec(text) ?? []
  if (whole === undefined) return proxyText
  const protocol = aliases[scheme.toLowerCase()]
  if (protocol === undefined) return `one of http, https, socks5 and socks5h before ://, and not ${scheme}`
  const portNumber = port === undefined ? usualPorts[protocol] : Number(port)
  if (portNumber === null) return 'a port, which proxies of HTTP have no usual one of: http://user:password@host:8000'
  const colon = login?.indexOf(':') ?? -1
  return {
    protocol,
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: portNumber,
    credentials:
      login === undefined || login === ''
        ? null
        : {
            user: decoded(colon === -1 ? login : login.slice(0, colon)),
            password: colon === -1 ? '' : decoded(login.slice(colon + 1)),
          },
  }
}

function problemOf({ protocol, port, credentials }: Parts): string | null {
  if (port < 1 || port > 65_535) return 'a port from 1 to 65535'
  if (credentials === null) return null
  const { user, password } = credentials
  // A line break would end the header that carries them.
  if (/\p{Cc}/u.test(user + password)) return 'a user name and a password without control characters'
  if (protocol.startsWith('http') && user.includes(':')) return 'a user name without a colon, which ends it in HTTP'
  const [unknown] = unknownPlaceholders(`${user} ${password}`)
  return unknown === undefined ? null : `{geo} and {session} as gaps of a user name, and not {${unknown}}`
}

/** `traits` hold where the line says nothing. */
export function readProxy(line: ProxyLine, traits: ProxyTraits): ReadProxy {
  const { url, ...given } = typeof line === 'string' ? { url: line } : line
  const parts = partsOf(url.trim())
  if (typeof parts === 'string') return wrong(parts)
  const problem = problemOf(parts)
  if (problem !== null) return wrong(problem)
  const host = parts.host.includes(':') ? `[${parts.host}]` : parts.host
  const { region = traits.region, weight = traits.weight, label = `${host}:${parts.port}` } = given
  return { kind: 'proxy', spec: { address: parts, region, weight, label, toJSON: () => label } }
}
