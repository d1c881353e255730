import type { Dispatcher } from 'undici'
import type { Clock } from '../core/clock.ts'
import type { Timing } from '../core/page.ts'
import { createBody } from './body.ts'
import { type BodyPlan, type BodyRules, bodyPlanOf, drainBytes } from './body-plan.ts'
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Ending, Head, Progress } from './ending.ts'
import type { Guard } from './guard.ts'

/** One request, ready to be written. */
export interface Asked {
  readonly path: string
  /** Flat: name, value, name, value. */
  readonly headers: string[]
  readonly rules: BodyRules
  readonly grow: (bytes: number) => void
  readonly expect?: ((wholeBytes: number) => void) | undefined
  readonly sent?: (() => void) | undefined
  /** 0 on a connection that was there already. */
  readonly connectMs: number
  /** What of it the TLS handshake took. */
  readonly tlsMs?: number
  /** For so long it could have been written and waited for its turn: no time of the host's. */
  readonly heldMs: number
}

const noBody = new Uint8Array(0)

type RawHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

function headOf(status: number, raw: RawHeaders): Head {
  // Without a prototype: a header may be called `constructor`.
  const headers: Record<string, string> = Object.create(null)
  for (const name of Object.keys(raw)) {
    const value = raw[name]
    if (typeof value === 'string') headers[name] = value
    else if (value !== undefined) headers[name] = (name === 'location' ? value[0] : value.join(', ')) ?? ''
  }
  const setCookies = [raw['set-cookie'] ?? []].flat()
  return { status, headers, setCookies }
}

/**
 * Writes one request and takes in its answer. Nothing is ever paused: the body goes straight into one array, and the
 * page budget bounds memory instead.
 *
 * The rest of an answer that is no page is waited for, for a moment and a few bytes, or its connection is closed. Were
 * the ending told at once and the rest read beside the next request, the server would see more requests of ours at a
 * time than the host's limit allows.
 */
export function exchange(
  connection: Connection,
  asked: Asked,
  guard: Guard,
  deadline: Deadline,
  clock: Clock,
): Promise<Ending> {
  return new Promise(resolve => {
    let isSettled = false
    let writtenAtMs = deadline.startedAtMs
    let firstByteAtMs: number | null = null
    let head: Head | null = null
    let plan: BodyPlan | null = null
    let body = createBody(null)
    let bodyBytes = 0

    function timingSince(byteAtMs: number): Timing {
      const { connectMs, tlsMs = 0, heldMs } = asked
      const totalMs = clock.nowMs() - deadline.startedAtMs - heldMs
      return { connectMs, ...(tlsMs > 0 && { tlsMs }), firstByteMs: byteAtMs - writtenAtMs, totalMs }
    }
    function timing(): Timing {
      firstByteAtMs ??= clock.nowMs()
      return timingSince(firstByteAtMs)
    }
    function progress(): Progress {
      return { head, bodyBytes, timing: firstByteAtMs === null ? null : timingSince(firstByteAtMs) }
    }

    function settle(ending: Ending): void {
      if (isSettled) return
      isSettled = true
      resolve(ending)
    }
    function settleAndClose(ending: Ending): void {
      // Once settled the connection may be somebody else's.
      if (isSettled) return
      settle(ending)
      void connection.close()
    }
    const answered = (known: Head, whole: Uint8Array<ArrayBuffer>): Ending => ({
      kind: 'answered',
      head: known,
      body: whole,
      from: connection.to,
      timing: timing(),
    })
    const withoutBody = (known: Head): Ending => answered(known, noBody)

    function receive(chunk: Uint8Array): void {
      if (isSettled || head === null) return
      bodyBytes += chunk.length
      if (plan?.kind === 'drain') {
        if (bodyBytes > drainBytes) settleAndClose(withoutBody(head))
        return
      }
      const tooManyBytes = bodyBytes - asked.rules.bodyBytes
      if (tooManyBytes > 0 && !asked.rules.isCut) {
        const detail = `${bodyBytes} bytes came so far`
        settleAndClose({ kind: 'refused', code: 'BODY_TOO_LARGE', detail, head, timing: timing() })
        return
      }
      const kept = tooManyBytes > 0 ? chunk.subarray(0, -tooManyBytes) : chunk
      deadline.received(kept.length)
      body.add(kept)
      asked.grow(kept.length)
      if (tooManyBytes > 0) settleAndClose(answered(head, body.take()))
    }

    function begin(known: Head): void {
      head = known
      plan = bodyPlanOf(known, asked.rules)
      connection.expectBody(plan.kind === 'read' ? (plan.declaredBytes ?? 0) : 0)
      switch (plan.kind) {
        case 'read':
          body = createBody(plan.declaredBytes)
          // Counted before it comes: else as many would be asked for as if all of them were small.
          if (plan.declaredBytes !== null) asked.expect?.(Math.min(plan.declaredBytes, asked.rules.bodyBytes))
          deadline.received(0)
          break
        case 'drain':
          deadline.enter('draining')
          break
        case 'close':
          settleAndClose(withoutBody(known))
          break
        case 'refuse':
          settleAndClose({ ...plan, kind: 'refused', head: known, timing: timing() })
          break
        default:
          plan satisfies never
      }
    }

    guard.whenCut(cut => {
      const isAnswered = head !== null && plan?.kind === 'drain' && cut.kind === 'expired'
      if (head !== null && isAnswered) settleAndClose(withoutBody(head))
      else settleAndClose({ kind: 'cut', cut, progress: progress() })
    })
    if (isSettled) return
    connection.dispatch(
      { path: asked.path, method: 'GET', headers: asked.headers },
      {
        onRequestStart() {},
        onRequestSent() {
          writtenAtMs = clock.nowMs()
          asked.sent?.()
        },
        onResponseStarted() {
          if (firstByteAtMs !== null) return deadline.received(0)
          firstByteAtMs = deadline.enter('receiving')
        },
        onResponseStart(_, status, raw) {
          // An interim answer (1xx) is a sign of life and nothing more.
          if (status >= 200 && !isSettled) begin(headOf(status, raw))
          else deadline.received(0)
        },
        onResponseData: (_, chunk) => receive(chunk),
        onResponseEnd() {
          if (head === null) return
          settle(answered(head, plan?.kind === 'read' ? body.take() : noBody))
        },
        onResponseError(_, error) {
          if (head !== null && plan?.kind === 'drain') return settleAndClose(withoutBody(head))
          // It takes blanks behind the number of a Content-Length for digits: then a whole body is of a wrong length.
          if (head !== null && plan?.kind === 'read' && plan.declaredBytes === bodyBytes)
            return settleAndClose(answered(head, body.take()))
          const { isEnded } = connection
          settleAndClose({ kind: 'broken', stage: 'answer', error, isEnded, progress: progress() })
        },
      },
    )
  })
}
