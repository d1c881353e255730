import { hash } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { withoutCredentials } from '../core/url.ts'
import { fileLines } from './file-lines.ts'
import { type Sent, sendBatch } from './webhook-request.ts'

/** How far a webhook has come in the file of the items. */
export interface Delivered {
  readonly bytes: number
  readonly lines: number
}

/** A batch that was not taken, and will be sent again. */
export interface FailedDelivery {
  readonly reason: string
  readonly tries: number
  /** From now until it is given up. */
  readonly leftMs: number
}

export interface WebhookOptions {
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Items of one request, at most. */
  readonly batch: number
  readonly giveUpMs: number
  /** The file of committed lines that it follows. */
  readonly path: string
  readonly start: Delivered
  /** Keeps how far it has come; what was delivered after the last call that resolved is delivered again. */
  readonly keep: (delivered: Delivered) => Promise<void>
  /** Told after 1, 2, 4, 8, ... failed tries of a batch. */
  readonly tellFailed?: (failed: FailedDelivery) => void
  /** One request; the real one unless given. */
  readonly send?: (url: string, request: RequestInit) => Promise<Sent>
}

/**
 * Sends items on, at least once and in their order. It reads them from the file in which they are committed, so nothing
 * is sent that a crash could take back, and nothing is forgotten however long the other side is away. A request that
 * fails is repeated after ever longer pauses; while it does, the run goes on until so many items wait, and then stands
 * still.
 */
export interface Webhook extends AsyncDisposable {
  /** The file is committed up to here. */
  committed(end: Delivered): void
  /**
   * Resolves while not too many items wait.
   * @throws SINK_FAILED it has failed for longer than `giveUpMs`
   */
  room(): Promise<void>
  /** Resolves when all that is committed is delivered. @throws SINK_FAILED */
  drained(): Promise<void>
  /** Whoever waits goes on. */
  release(): void
}

/** Batches that may wait before the run is held back. */
const mostWaiting = 20
const firstPauseMs = 500
const longestPauseMs = 30_000

interface Batch {
  readonly body: Uint8Array<ArrayBuffer>
  readonly end: Delivered
}

export function createWebhook(options: WebhookOptions): Webhook {
  const { clock, random, url, path, giveUpMs, keep, tellFailed, send = sendBatch } = options
  const closing = new AbortController()
  const waiters = new Set<() => void>()
  let delivered = options.start
  let end = options.start
  let failed: MillraceError | null = null
  let sending: Promise<void> | null = null
  let isReleased = false

  function wakeAll(): void {
    for (const wake of waiters) wake()
  }

  /** The next lines of the file as one array: they are JSON already. */
  async function nextBatch(): Promise<Batch> {
    const lines: Buffer[] = []
    let bytes = delivered.bytes
    for await (const line of fileLines(path, delivered.bytes, end.bytes)) {
      lines.push(Buffer.from(line))
      bytes += line.byteLength + 1
      if (lines.length === options.batch) break
    }
    const pieces = lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from(','), line]))
    const body = new Uint8Array(Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']')]))
    return { body, end: { bytes, lines: delivered.lines + lines.length } }
  }

  async function deliver({ body }: Batch): Promise<void> {
    const failingSinceMs = clock.nowMs()
    const request: RequestInit = {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        // The same for the same items, also when another process sends them again.
        'idempotency-key': hash('sha256', body, 'base64url'),
        ...options.headers,
      },
      body,
      signal: closing.signal,
    }
    for (let tries = 1; ; tries += 1) {
      const sent = await send(url, request)
      if (sent.kind === 'taken') return
      closing.signal.throwIfAborted()
      if (sent.kind === 'refused' || clock.nowMs() - failingSinceMs >= giveUpMs)
        throw new MillraceError('SINK_FAILED', `${withoutCredentials(url)} did not take the items: ${sent.reason}`)
      const leftMs = giveUpMs - (clock.nowMs() - failingSinceMs)
      if (Number.isInteger(Math.log2(tries))) tellFailed?.({ reason: sent.reason, tries, leftMs })
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)) * (0.5 + random() / 2)
      await clock.sleep(Math.max(pauseMs, sent.retryAfterMs ?? 0), closing.signal)
    }
  }

  async function sendAll(): Promise<void> {
    while (delivered.bytes < end.bytes && !closing.signal.aborted) {
      const batch = await nextBatch()
      await deliver(batch)
      await keep(batch.end)
      delivered = batch.end
      wakeAll()
    }
  }

  function startSending(): void {
    if (sending !== null || failed !== null || closing.signal.aborted) return
    sending = sendAll()
      .catch(thrown => {
        if (closing.signal.aborted) return
        failed =
          thrown instanceof MillraceError
            ? thrown
            : new MillraceError('SINK_FAILED', `${path} cannot be sent on: ${String(thrown)}`, { cause: thrown })
      })
      .finally(() => {
        sending = null
        wakeAll()
        if (delivered.bytes < end.bytes) startSending()
      })
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (failed === null && !isReleased && !closing.signal.aborted && !isSo())
      await new Promise<void>(resolve => {
        const wake = (): void => {
          waiters.delete(wake)
          resolve()
        }
        waiters.add(wake)
      })
    if (failed !== null) throw failed
  }

  return {
    committed(reached) {
      end = reached
      startSending()
    },
    room: () => until(() => end.lines - delivered.lines <= mostWaiting * options.batch),
    drained: () => until(() => delivered.bytes >= end.bytes),
    release() {
      isReleased = true
      wakeAll()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeAll()
      await sending
    },
  }
}
