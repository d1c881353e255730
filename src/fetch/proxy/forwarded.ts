import type { Ending, Head, ProxyFault } from '../ending.ts'
import { brokenCodeOf, reasonOf } from '../error-code.ts'
import { isDenial } from './refusal.ts'

/**
 * Whose an answer is that a proxy passed on, or made up itself.
 *
 * The proxy's are: 407; a status from 590 to 599, which no site has and some gateways do; and a page that names the
 * program of a proxy, provided that no other proxy stood behind it (each adds itself to Via). A 502 or a page of 200
 * without any such mark may be either's. It is left to the host, whose answers are compared over all regions, and to the
 * block signs of the job.
 *
 * The connection is the proxy's as well: where it breaks before an answer began, no host is to blame. In the middle of
 * an answer it may have been the host.
 */
export function endingForwarded(ending: Ending, label: string): Ending {
  const fault = (failure: ProxyFault['failure'], status: number | null, detail: string): ProxyFault => ({
    kind: 'proxy-failed',
    failure,
    status,
    label,
    detail,
  })
  switch (ending.kind) {
    case 'answered':
    case 'refused': {
      const { status } = ending.head
      if (status === 407) return fault('denied', status, 'answered with 407: it wants other credentials')
      const mark = markOf(ending.head)
      if (mark === null) return ending
      const failure = isDenial(status) ? 'denied' : 'refused'
      return fault(failure, status, `answered with ${status} and a page of its own (${mark})`)
    }
    case 'broken': {
      if (ending.progress.head !== null) return ending
      const code = brokenCodeOf(ending)
      if (code === 'RESPONSE_INVALID') return fault('connect', null, 'its answer is no HTTP')
      if (code === 'CONNECT_FAILED' || code === 'RESPONSE_TRUNCATED')
        return fault('connect', null, `hung up without an answer: ${reasonOf(ending.error)}`)
      return ending
    }
    default:
      return ending
  }
}

const programs = /^(tinyproxy|squid|privoxy|3proxy|proxychain)\b/i

/** Null: nothing shows that the page is the proxy's. */
function markOf({ status, headers }: Head): string | null {
  if (status >= 590 && status <= 599) return `no site answers with ${status}`
  if ((headers.via ?? '').includes(',')) return null
  const squid = headers['x-squid-error']
  if (squid !== undefined) return `X-Squid-Error: ${/^[\w ]{1,60}/.exec(squid)?.[0] ?? ''}`
  const program = programs.exec(headers.server ?? '')?.[1]
  return status >= 400 && program !== undefined ? `Server: ${program}` : null
}
