import type { Socket } from 'node:net'
import type { Cut } from '../ending.ts'
import type { Guard } from '../guard.ts'

/** Why no more is said. */
export type Silence =
  | { readonly kind: 'cut'; readonly cut: Cut }
  | { readonly kind: 'lost'; readonly error: Error }
  /** The other side hung up. */
  | { readonly kind: 'closed' }

/** What is said to a proxy and by it before the connection is the host's: question and answer, in turn. */
export interface Dialogue extends Disposable {
  say(bytes: string | Uint8Array): void
  /**
   * The next message, null when there will be none.
   * @param lengthOf how long the message is, by what has come so far; 0: not known yet
   */
  hear(lengthOf: (heard: Buffer) => number): Promise<Buffer | null>
  /** Bytes that came beyond the messages. */
  readonly surplus: Buffer
  /** Null while it goes on. */
  readonly silence: Silence | null
}

/** For messages of a length that is known. */
export const exactly =
  (bytes: number) =>
  (heard: Buffer): number =>
    heard.length < bytes ? 0 : bytes

/** Disposing leaves the socket open, and to whoever is next. */
export function createDialogue(socket: Socket, guard: Guard): Dialogue {
  let heard: Buffer = Buffer.alloc(0)
  let silence: Silence | null = null
  let stir = (): void => {}

  function fallSilent(how: Silence): void {
    silence ??= how
    stir()
  }
  function listen(): void {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read())
      heard = Buffer.concat([heard, chunk])
    stir()
  }
  const lose = (error: Error): void => fallSilent({ kind: 'lost', error })
  const close = (): void => fallSilent({ kind: 'closed' })

  socket.on('readable', listen).on('end', close).on('error', lose).on('close', close)
  guard.whenCut(cut => {
    fallSilent({ kind: 'cut', cut })
    socket.destroy()
  })

  return {
    say: bytes => void socket.write(bytes),
    async hear(lengthOf) {
      for (;;) {
        const bytes = heard.length === 0 ? 0 : lengthOf(heard)
        if (bytes > 0) {
          const message = heard.subarray(0, bytes)
          heard = heard.subarray(bytes)
          return message
        }
        if (silence !== null) return null
        await new Promise<void>(resolve => {
          stir = resolve
        })
      }
    },
    get surplus() {
      return heard
    },
    get silence() {
      return silence
    },
    [Symbol.dispose]() {
      socket.off('readable', listen).off('end', close).off('error', lose).off('close', close)
    },
  }
}
