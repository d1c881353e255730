import { countText } from '../core/count-text.ts'
import type { Tail, TailCause } from './tail.ts'
import { waitedForWords } from './wait-words.ts'

/** Ends of a sentence. */
const words: Readonly<Record<Exclude<TailCause, 'idle'>, string>> = {
  ...waitedForWords,
  pause: 'a host that was in trouble or asked to be left alone',
  connect: 'a connection',
  firstByte: 'the first byte of an answer',
  body: 'the rest of an answer that had begun',
  parsing: 'a page that was being parsed',
  keeping: 'the output, or its reader',
  backoff: 'the next attempt, after one that had failed',
  askedToWait: 'the end of a wait that the host had asked for',
  otherProxy: 'the next attempt, after a proxy had failed',
}

function seconds(durationMs: number): string {
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`
  if (durationMs < 120_000) return `${Math.round(durationMs / 1000)} s`
  return `${countText(durationMs / 60_000)} min`
}

type Told = Omit<Tail, 'sentence'>

function whoWasLeft({ urls, ofUrls, hosts: [host], hostCount, last: [url] }: Told): string {
  if (urls === 0) return 'no URL was left'
  if (urls === 1) return `only 1 URL was left${url === undefined ? '' : `, ${url.url}`}`
  const some = `${countText(urls)} of ${countText(ofUrls)} URLs`
  if (hostCount === 1 && host !== undefined) return `only ${host} was left, with ${some}`
  const ofHosts = hostCount > 1 ? `, of ${countText(hostCount)} hosts` : ''
  return `only ${some} were left${ofHosts}${url === undefined ? '' : `, the last of them ${url.url}`}`
}

/** What became of the one URL, where that is not what was wanted. */
function whatBecame({ urls, last: [url] }: Told, pending: number): string {
  if (urls !== 1) return pending === 0 ? '' : `, and ${countText(pending)} had not ended`
  if (pending > 0) return ', and had not ended'
  if (url === undefined || url.end === 'done') return ''
  const tries = url.attempts.url + url.attempts.proxy + url.attempts.waits
  return `, and ended with ${url.end}${tries > 1 ? ` after ${tries} attempts` : ''}`
}

/** In figures, where there is more to the cause than its name. */
function inFigures({ cause, durationMs, urls, requestMs }: Told): string {
  if (cause === 'rate' && urls > 1) return `, one URL each ${seconds(durationMs / urls)}`
  return cause === 'hostSlot' && requestMs !== null ? `, which took ${seconds(requestMs)} each` : ''
}

function whatFor(tail: Told): string {
  const { cause, causeShare, urls } = tail
  const part = ` (${Math.round(causeShare * 100)} % of that time)`
  if (cause === 'idle') return `nothing was under way${part}`
  const who = urls === 0 ? 'the run' : urls === 1 ? 'it' : 'they'
  return `${who} waited for ${words[cause]}${inFigures(tail)}${part}`
}

/** Who was left in the end, what that waited for, and when the run would have been over without. */
export function tailText(tail: Told, pending: number): string {
  const { sinceMs, durationMs } = tail
  const others = tail.urls === 0 ? 'the last one had ended' : 'all others had ended'
  return (
    `For the last ${seconds(durationMs)} of ${seconds(sinceMs + durationMs)} ${whoWasLeft(tail)}: ` +
    `${whatFor(tail)}${whatBecame(tail, pending)}; ${others} after ${seconds(sinceMs)}.`
  )
}
