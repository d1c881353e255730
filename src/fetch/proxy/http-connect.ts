import type { ProxyAddress } from '../../core/route.ts'
import type { Target } from '../target.ts'
import { authorizationOf } from './credentials.ts'
import { type Dialogue, exactly } from './dialogue.ts'
import { isDenial, refused, type Tunnel, withItsWords } from './refusal.ts'

const mostHeadBytes = 2 ** 14
const mostBodyBytes = 2 ** 12

const begin = 'HTTP/1.'

/** The end of a head; all that came where it will be none. */
function headLength(heard: Buffer): number {
  const text = heard.toString('latin1')
  if (!begin.startsWith(text.slice(0, begin.length)) || heard.length > mostHeadBytes) return heard.length
  const end = /\r?\n\r?\n/.exec(text)
  return end === null ? 0 : end.index + end[0].length
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function question({ host, port }: Target, { credentials }: ProxyAddress, userAgent: string): string {
  const authority = `${bracketed(host)}:${port}`
  return [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    `User-Agent: ${userAgent}`,
    ...(credentials === null ? [] : [`Proxy-Authorization: ${authorizationOf(credentials)}`]),
    '\r\n',
  ].join('\r\n')
}

interface Answer {
  readonly status: number
  readonly reason: string
  header(name: string): string | null
}

function answerOf(head: Buffer): Answer | null {
  const text = head.toString('latin1')
  const [, status, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?\r?\n/.exec(text) ?? []
  const isWhole = /\r?\n\r?\n$/.test(text)
  if (status === undefined || !isWhole) return null
  return {
    status: Number(status),
    reason,
    header: name => new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im').exec(text)?.[1] ?? null,
  }
}

/** Where some proxies tell what went wrong. */
const tellingHeaders = ['x-squid-error', 'proxy-status']

async function refusalOf(dialogue: Dialogue, answer: Answer, { credentials }: ProxyAddress): Promise<Tunnel> {
  const { status, reason } = answer
  const declared = Number(answer.header('content-length') ?? 0)
  const whole = declared > 0 && declared <= mostBodyBytes ? await dialogue.hear(exactly(declared)) : null
  const body = (whole ?? dialogue.surplus.subarray(0, mostBodyBytes)).toString('utf8')
  const words = [...tellingHeaders.map(name => answer.header(name) ?? ''), body]
  const detail = withItsWords(`answered CONNECT with ${status}`, [reason, ...words], credentials)
  return refused(isDenial(status) ? 'denied' : 'refused', detail, status)
}

/** Asks once, by CONNECT (RFC 9110, 9.3.6). */
export async function askForTunnel(
  dialogue: Dialogue,
  target: Target,
  proxy: ProxyAddress,
  userAgent: string,
): Promise<Tunnel> {
  dialogue.say(question(target, proxy, userAgent))
  let answer: Answer | null
  do {
    const head = await dialogue.hear(headLength)
    if (head === null) return { kind: 'silent' }
    answer = answerOf(head)
  } while (answer !== null && answer.status < 200)
  if (answer === null) return refused('connect', 'its answer to CONNECT is no HTTP')
  const { status } = answer
  if (status >= 300) return await refusalOf(dialogue, answer, proxy)
  // In TLS the client speaks first: what follows at once is the proxy's own, whatever its status says.
  if (dialogue.surplus.length > 0)
    return refused('refused', `answered CONNECT with ${status} and bytes of its own behind it`, status)
  const isDoubtful = answer.header('content-type') !== null || Number(answer.header('content-length') ?? 0) > 0
  return { kind: 'open', doubtfulStatus: isDoubtful ? status : null }
}
