import { open } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Delays } from '../replay/latency.ts'
import type { PageAttempt } from '../replay/recording.ts'
import { listen } from './listen.ts'
import type { PageServer } from './page-server.ts'
import { createRequestGauge } from './request-gauge.ts'

/** Where the answer is, and how long it takes: the server knows nothing of a recording. */
export const answerPath = (
  { atByte, headBytes, bodyBytes }: Pick<PageAttempt, 'atByte' | 'headBytes' | 'bodyBytes'>,
  { firstByteMs, bodyMs }: Pick<Delays, 'firstByteMs' | 'bodyMs'>,
): string => `/${[atByte, headBytes + bodyBytes, headBytes, firstByteMs.toFixed(2), bodyMs.toFixed(2)].join('/')}`

const requestLine = /^GET \/(\d+)\/(\d+)\/(\d+)\/(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?) HTTP\/1\.1\r\n/
const headEnd = Buffer.from('\r\n\r\n')
const mostHeadBytes = 2 ** 16
const noSuchAnswer = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'

interface Asked {
  readonly atByte: number
  readonly bytes: number
  readonly headBytes: number
  readonly firstByteMs: number
  readonly bodyMs: number
}

function askedIn(head: string): Asked | null {
  const numbers = requestLine.exec(head)?.slice(1).map(Number)
  if (numbers === undefined) return null
  const [atByte = 0, bytes = 0, headBytes = 0, firstByteMs = 0, bodyMs = 0] = numbers
  return { atByte, bytes, headBytes, firstByteMs, bodyMs }
}

/**
 * Serves pieces of a file, each as late as its request says: bytes as they are, on bare sockets, so that the server takes as
 * little as can be of the cores that it shares with what is measured.
 */
export async function startAnswerServer(answers: string, clock: Clock): Promise<PageServer> {
  const file = await open(answers)
  const sockets = new Set<Socket>()
  const gauge = createRequestGauge()

  const pause = (ms: number): Promise<void> => new Promise(resolve => void clock.after(ms, resolve))

  async function send(socket: Socket, head: string): Promise<void> {
    const asked = askedIn(head)
    if (asked === null) return void socket.end(noSuchAnswer)
    const { atByte, bytes, headBytes, firstByteMs, bodyMs } = asked
    gauge.begun()
    try {
      const answer = Buffer.allocUnsafe(bytes)
      const [{ bytesRead }] = await Promise.all([file.read(answer, 0, bytes, atByte), pause(firstByteMs)])
      if (bytesRead < bytes) return void socket.end(noSuchAnswer)
      if (bodyMs < 1) return void socket.write(answer)
      // The first byte is not before its time, and the last one not either.
      const first = Math.min(bytes - 1, headBytes)
      socket.write(answer.subarray(0, first))
      await pause(bodyMs)
      socket.write(answer.subarray(first))
    } finally {
      gauge.ended()
    }
  }

  const server = createServer({ noDelay: true }, socket => {
    let held = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', chunk => {
      held = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk])
      const end = held.indexOf(headEnd)
      if (end < 0) {
        if (held.byteLength > mostHeadBytes) socket.destroy()
        return
      }
      const head = held.toString('latin1', 0, end + 2)
      // Whoever asks waits for the answer before it asks again.
      held = Buffer.alloc(0)
      send(socket, head).catch(() => socket.destroy())
    })
  })
  return {
    port: await listen(server),
    read: gauge.read,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
      await file.close()
    },
  }
}
