import type { OnReadOpts, Socket } from 'node:net'

/**
 * How the bytes of a socket come to undici.
 *
 * Left to itself Node makes 64 KiB of memory for every read of every socket, and collecting it again costs more than
 * all of our own code. So all sockets of a fetcher are read into one piece of memory, in turn, and undici is shown the
 * very bytes in it. That is sound where they are used up before the next read: undici is fed within the read itself,
 * and of a body of declared length it keeps nothing, for our handler copies. Of heads, chunk sizes and trailers it
 * keeps pieces from one read to the next. These, and whatever comes when nobody asked for it, are copied first.
 *
 * Two things that undici refuses are mended in a head that comes in one piece, as nearly all do. A `100 Continue` is
 * left out: it says that a request may send its body, and ours have none. And a line that begins with a blank goes on
 * with the one before (RFC 9112, 5.2).
 */
export interface Intake {
  /** For `net.connect` and `tls.connect`. */
  readonly onread: OnReadOpts
  /** The socket made with it, before it connects. */
  attach(socket: Socket): void
  /** A request was handed over: what comes next is a head. */
  expectHead(): void
  /** The head of the final answer is in, and so many bytes of body are declared to follow; 0 where none are. */
  expectBody(bytes: number): void
}

/** As much as Node would read at a time. */
const memoryBytes = 2 ** 16

/** For all intakes of one thread, one read after the other. */
export const createIntakeMemory = (): Uint8Array => Buffer.allocUnsafeSlow(memoryBytes)

const blankLine = '\r\n\r\n'
const shortestHead = 'HTTP/1.1 200'.length
const folds = ['\r\n ', '\r\n\t']

function unfolded(head: Buffer): Buffer {
  for (const fold of folds)
    for (let at = head.indexOf(fold); at >= 0; at = head.indexOf(fold, at)) head.fill(' ', at, at + 2)
  return head
}

const isContinue = (head: Buffer): boolean => /^HTTP\/1\.[01] 100[ \r]/.test(head.toString('latin1', 0, 13))

export function createIntake(memory: Uint8Array): Intake {
  let socket: Socket | null = null
  /** The next byte is the first one of a head. */
  let isHead = false
  /** Bytes of a declared body that are still to come, after a head in one piece: of any other nobody knows how many. */
  let bodyBytes = 0

  function feed(to: Socket, bytes: Uint8Array): void {
    to.push(bytes)
    to.emit('readable')
  }

  /** Head after head, each in one piece; what is behind them is returned. */
  function feedHeads(to: Socket, chunk: Buffer): Buffer {
    let rest = chunk
    while (isHead && !to.destroyed) {
      const at = rest.indexOf(blankLine)
      if (at < shortestHead) break
      const head = rest.subarray(0, at + blankLine.length)
      rest = rest.subarray(head.length)
      if (!isContinue(head)) feed(to, unfolded(Buffer.from(head)))
    }
    return rest
  }

  function feedBody(to: Socket, chunk: Buffer): Buffer {
    const body = chunk.subarray(0, bodyBytes)
    if (body.length === 0) return chunk
    bodyBytes -= body.length
    feed(to, body)
    // It would be overwritten before it is read.
    if (to.readableLength > 0) to.destroy(new Error('bytes of a body were left lying'))
    return chunk.subarray(body.length)
  }

  function take(to: Socket, chunk: Buffer): void {
    const rest = feedBody(to, feedHeads(to, chunk))
    if (rest.length === 0 || to.destroyed) return
    isHead = false
    feed(to, Buffer.from(rest))
    bodyBytes = 0
  }

  return {
    onread: {
      buffer: memory,
      callback(bytes) {
        if (socket === null) return false
        take(socket, Buffer.from(memory.buffer, memory.byteOffset, bytes))
        return socket.readableLength < socket.readableHighWaterMark
      },
    },
    attach(made) {
      socket = made
    },
    expectHead() {
      isHead = true
      bodyBytes = 0
    },
    expectBody(bytes) {
      isHead = false
      bodyBytes = bytes
    },
  }
}
