import { createReadStream } from 'node:fs'

const lineFeed = 0x0a

/**
 * Lines of a file as bytes, without their ends. Only a line feed ends one: `node:readline` also breaks at U+2028, which may
 * stand in a string of JSON.
 */
export async function* fileLines(path: string, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  if (end <= start) return
  let held: Buffer[] = []
  const chunks = createReadStream(path, { start, end: end - 1, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const piece = chunk.subarray(from, at)
      yield held.length === 0 ? piece : Buffer.concat([...held, piece])
      held = []
      from = at + 1
    }
    if (from < chunk.byteLength) held.push(chunk.subarray(from))
  }
  if (held.length > 0) yield Buffer.concat(held)
}
