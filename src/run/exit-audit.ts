import { isIP } from 'node:net'
import { type Outcome, timingOf } from '../core/outcome.ts'
import type { ProxyFailure } from '../core/route.ts'
import { decodeContent } from '../decode/content-coding.ts'
import type { Exit } from '../proxy/exit.ts'
import { hintOf } from '../proxy/judge.ts'

/** One way out, as it did in an audit. Labels alone: no credentials. */
export interface ExitAudit {
  readonly proxy: string
  readonly region: string
  readonly requests: number
  /** Faults of the proxy, by kind. */
  readonly failures: Readonly<Partial<Record<ProxyFailure, number>>>
  /** The proxy, its answer and TLS with the host: of the connections that were made; null: none. */
  readonly connectMs: { readonly p50: number; readonly max: number } | null
  /** Of requests that were answered; null: none was. */
  readonly connectionsPerRequest: number | null
  /** Addresses that the echo saw, in the order of their first time; null: none was asked. */
  readonly exits: readonly string[] | null
  /** Of the last request that failed. */
  readonly lastFault: string | null
}

/** What came of one request. */
export interface Seen {
  readonly outcome: Outcome
  readonly isNew: boolean
}

const echoBytes = 2 ** 16

/** The first address in an answer, in whatever text it stands. */
function addressIn(outcome: Outcome): string | null {
  if (outcome.kind !== 'page') return null
  const { body, headers } = outcome.page
  const decoded = decodeContent(body, headers['content-encoding'] ?? '', echoBytes)
  if (decoded.kind === 'faulted') return null
  const words = Buffer.from(decoded.bytes)
    .toString('latin1')
    .split(/[^0-9a-fA-F.:]+/)
  return words.find(word => isIP(word) !== 0) ?? null
}

const faultText = (outcome: Outcome): string | null => (outcome.kind === 'failed' ? outcome.fault.message : null)

/** @param isEcho what was asked for answers with the address that asks */
export function exitAuditOf({ label, region }: Exit, seen: readonly Seen[], isEcho: boolean): ExitAudit {
  const failures: Partial<Record<ProxyFailure, number>> = {}
  for (const { outcome } of seen) {
    const hint = hintOf(outcome)
    if (hint.kind === 'fault') failures[hint.failure] = (failures[hint.failure] ?? 0) + 1
  }
  const answered = seen.filter(({ outcome }) => timingOf(outcome) !== null)
  const made = answered.filter(({ isNew }) => isNew)
  const times = made.map(({ outcome }) => Math.round(timingOf(outcome)?.connectMs ?? 0)).sort((a, b) => a - b)
  const exits = new Set(seen.flatMap(({ outcome }) => addressIn(outcome) ?? []))
  return {
    proxy: label,
    region,
    requests: seen.length,
    failures,
    connectMs: times.length === 0 ? null : { p50: times[times.length >> 1] ?? 0, max: times.at(-1) ?? 0 },
    connectionsPerRequest: answered.length === 0 ? null : made.length / answered.length,
    exits: isEcho ? [...exits] : null,
    lastFault: seen.reduce<string | null>((last, { outcome }) => faultText(outcome) ?? last, null),
  }
}
