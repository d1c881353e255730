import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** As many bytes as tell gzip data from text. */
const magicBytes = 3
const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08

/** What is in a file or pipe, unpacked where its first bytes say that it is gzip data, whatever its name is. */
export async function* contentOf(stream: Readable): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  let head = Buffer.alloc(0)
  let isOver = false

  async function read(): Promise<Buffer | null> {
    const next = await chunks.next()
    isOver = next.done === true
    return next.done === true ? null : Buffer.from(next.value as Buffer)
  }

  async function* all(): AsyncGenerator<Buffer> {
    yield head
    for (let chunk = await read(); chunk !== null; chunk = await read()) yield chunk
  }

  try {
    while (head.length < magicBytes) {
      const chunk = await read()
      if (chunk === null) break
      head = Buffer.concat([head, chunk])
    }
    if (!isGzip(head)) return yield* all()
    const gunzip = createGunzip()
    // Whatever fails on the way is thrown where `gunzip` is read.
    pipeline(Readable.from(all()), gunzip, () => {})
    yield* gunzip
  } finally {
    if (!isOver) await chunks.return?.()
  }
}
