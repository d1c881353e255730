import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { beginningOf } from '../../src/decode/beginning.ts'

const wantedBytes = 100_000

/** The best quality takes seconds on these. */
const brotli = (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const lines = Buffer.from(Array.from({ length: 60_000 }, (_, at) => `line ${at * 7_919}\n`).join(''))
const contents = {
  text: lines,
  noise: randomBytes(600_000),
  'noise and then a bomb': Buffer.concat([randomBytes(150_000), Buffer.alloc(20_000_000)]),
}

describe('the beginning of a coded body', () => {
  for (const [coding, pack] of [
    ['', (bytes: Uint8Array) => bytes],
    ['gzip', gzipSync],
    ['X-Gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotli],
    ['zstd', zstdCompressSync],
  ] as const)
    for (const [name, content] of Object.entries(contents))
      test(`${coding || 'no coding'}, ${pack.name}: ${name}`, () => {
        const beginning = beginningOf(pack(content), coding, wantedBytes) ?? Buffer.alloc(0)
        expect(beginning.byteLength).toBeGreaterThanOrEqual(wantedBytes)
        expect(content.subarray(0, beginning.byteLength).equals(beginning)).toBe(true)
      })

  test('of a body that was cut is what it holds', () => {
    const cut = gzipSync(contents.noise).subarray(0, 50_000)
    const beginning = beginningOf(cut, 'gzip', wantedBytes) ?? Buffer.alloc(0)
    expect(beginning.byteLength).toBeGreaterThan(49_000)
    expect(contents.noise.subarray(0, beginning.byteLength).equals(beginning)).toBe(true)
  })

  test('is none under several codings, an unknown one, in broken data, and where one byte makes too much', () => {
    expect(beginningOf(gzipSync(lines), 'gzip, br', wantedBytes)).toBeNull()
    expect(beginningOf(gzipSync(lines), 'compress', wantedBytes)).toBeNull()
    expect(beginningOf(lines, 'gzip', wantedBytes)).toBeNull()
    expect(beginningOf(brotli(Buffer.alloc(50_000_000)), 'br', wantedBytes)).toBeNull()
  })
})
