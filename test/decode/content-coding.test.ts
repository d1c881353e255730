import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeContent } from '../../src/decode/content-coding.ts'
import { looksGzipped } from '../../src/decode/gzip.ts'
import { concat, hex, packers, utf8 } from './codings.ts'

const capBytes = 8 * 1024 * 1024

const textOf = (body: Uint8Array, coding: string, cap = capBytes): string => {
  const decoded = decodeContent(body, coding, cap)
  return decoded.kind === 'decoded' ? Buffer.from(decoded.bytes).toString() : decoded.fault.code
}
const flagsOf = (body: Uint8Array, coding: string): readonly string[] => {
  const decoded = decodeContent(body, coding, capBytes)
  return decoded.kind === 'decoded' ? decoded.flags : [decoded.fault.code]
}

const helloGzip = hex('1f8b0800000000000003cb48cdc9c95728cf2fca49010085114a0d0b000000')
const helloBare = hex('cb48cdc9c95728cf2fca490100')
const helloZlib = hex('789ccb48cdc9c95728cf2fca4901001a0b045d')
const helloGzipInZlib = hex('789c93efe6600003e6d31e674f9e0cd738af7fca9391a155d08b971b280c007f3707b1')
const helloBrotli = hex('0b058068656c6c6f20776f726c6403')
const okZlib = hex('789ccbcf0600014b00db')
const twoMembers = hex('1f8b08000000000000034bcbcf07002165738c030000001f8b08000000000000034b4a2c0200aa8cff7603000000')
const html = utf8(`<!DOCTYPE html><title>Straße</title>${'<p>The quick brown fox, no. 7.</p>'.repeat(400)}`)

describe('the bodies of the bug reports', () => {
  test.each([
    ['gzip', helloGzip, 'gzip'],
    ['x-gzip', helloGzip, 'x-gzip'],
    ['any letter case', helloGzip, 'GZip'],
    ['bare deflate', helloBare, 'deflate'],
    ['deflate in zlib', helloZlib, 'deflate'],
    ['brotli', helloBrotli, 'br'],
    ['a stack, undone from its end', helloGzipInZlib, 'gzip, deflate'],
    ['a stack with identity and blanks in it', helloGzipInZlib, ' gzip ,identity,, "Deflate" '],
    ['gzip with a parameter', helloGzip, 'gzip;q=1.0'],
    ['no coding', utf8('hello world'), ''],
    ['identity', utf8('hello world'), 'identity'],
  ])('%s gives hello world', (_, body, coding) => {
    expect(textOf(body, coding)).toBe('hello world')
    expect(flagsOf(body, coding)).toEqual([])
  })

  test('bytes after the end of the stream are ignored, with a flag', () => {
    const junk = utf8('XXXXextra')
    expect(textOf(concat(okZlib, junk), 'deflate')).toBe('ok')
    expect(flagsOf(concat(okZlib, junk), 'deflate')).toEqual(['trailing-bytes'])
    expect(textOf(concat(gzipSync('ok'), junk), 'gzip')).toBe('ok')
    expect(flagsOf(concat(gzipSync('ok'), junk), 'gzip')).toEqual(['trailing-bytes'])
  })

  test('the members of a gzip body are joined', () => {
    expect(textOf(twoMembers, 'gzip')).toBe('foobar')
    expect(flagsOf(twoMembers, 'gzip')).toEqual([])
  })

  test('a missing or cut gzip trailer costs nothing but a flag', () => {
    for (const cutBytes of [1, 4, 7, 8]) {
      expect(textOf(helloGzip.subarray(0, -cutBytes), 'gzip')).toBe('hello world')
      expect(flagsOf(helloGzip.subarray(0, -cutBytes), 'gzip')).toEqual(['missing-trailer'])
    }
  })

  test.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'made-up'])(
    'an empty body with the coding %s is an empty page',
    coding => {
      expect(decodeContent(new Uint8Array(), coding, capBytes)).toMatchObject({ kind: 'decoded', flags: [] })
      expect(textOf(new Uint8Array(), coding)).toBe('')
    },
  )

  test('a gzip file sent with gzip on top is seen to be gzip after one layer', () => {
    const decoded = decodeContent(gzipSync(helloGzip), 'gzip', capBytes)
    const inner = decoded.kind === 'decoded' ? decoded.bytes : new Uint8Array()
    expect(looksGzipped(inner)).toBe(true)
    expect(textOf(inner, 'gzip')).toBe('hello world')
    expect(looksGzipped(utf8('<urlset>'))).toBe(false)
    expect(looksGzipped(new Uint8Array())).toBe(false)
  })
})

/** Filled once: with a function for each byte it costs more than what is tested. */
const varied = new Uint8Array(1_000_000)
for (let at = 0; at < varied.length; at += 1) varied[at] = (at * at) >> 7

describe.each(packers)('the coding $name', ({ header, trailerBytes, pack }) => {
  const packed = pack(html)

  test.each([0, 1, 17, 65_535, 65_536, 65_537, 131_072, 1_000_000])('gives back %i bytes', sizeBytes => {
    const body = varied.subarray(0, sizeBytes)
    const decoded = decodeContent(pack(body), header, capBytes)
    expect(decoded.kind === 'decoded' && Buffer.compare(decoded.bytes, body) === 0 && decoded.flags).toEqual([])
  })

  test('takes a page of exactly the cap and not one byte more', () => {
    expect(textOf(packed, header, html.byteLength)).toBe(Buffer.from(html).toString())
    expect(textOf(packed, header, html.byteLength - 1)).toBe('BODY_TOO_LARGE')
    expect(textOf(packed, header, 0)).toBe('BODY_TOO_LARGE')
  })

  test('ignores what follows the stream, with a flag', () => {
    for (const rest of [utf8('XXXXextra'), new Uint8Array(100), utf8('<p>more</p>')]) {
      expect(textOf(concat(packed, rest), header)).toBe(Buffer.from(html).toString())
      expect(flagsOf(concat(packed, rest), header)).toEqual(['trailing-bytes'])
    }
  })

  test.each([
    ['a page', html],
    ['a few words', utf8('no more than a few words')],
    ['ten kilobytes of one byte', new Uint8Array(10_000).fill(65)],
  ])('never gives half of %s, wherever it is cut', (_, whole) => {
    const stream = pack(whole)
    for (let keptBytes = 1; keptBytes < stream.byteLength; keptBytes++) {
      const decoded = decodeContent(stream.subarray(0, keptBytes), header, capBytes)
      if (keptBytes >= stream.byteLength - trailerBytes) {
        expect(decoded).toMatchObject({ kind: 'decoded', flags: ['missing-trailer'] })
        expect(decoded.kind === 'decoded' && Buffer.compare(decoded.bytes, whole), `cut at ${keptBytes}`).toBe(0)
      } else {
        expect(decoded, `cut at ${keptBytes}`).toMatchObject({ kind: 'faulted', fault: { code: 'DECODE_FAILED' } })
      }
    }
  })

  test.skipIf(trailerBytes === 0)('notices a page that does not fit its checksum', () => {
    const broken = Uint8Array.from(packed)
    const at = packed.byteLength - trailerBytes
    broken[at] = (broken[at] ?? 0) ^ 1
    expect(textOf(broken, header)).toBe('DECODE_FAILED')
  })

  test.each(packers)('is recognised in a body labelled for $name', ({ header: label }) => {
    const isSameCoding = label === header
    expect(textOf(packed, label)).toBe(Buffer.from(html).toString())
    expect(flagsOf(packed, label)).toEqual(isSameCoding ? [] : ['mislabelled'])
  })

  test('lets plain text pass that was never packed, with a flag', () => {
    for (const text of [
      '<p>hi</p>',
      '{"json": [1, 2, 3], "a": "b"}',
      'just some words, but enough',
      ';'.repeat(3000),
    ]) {
      expect(textOf(utf8(text), header)).toBe(text)
      expect(flagsOf(utf8(text), header)).toEqual(['mislabelled'])
    }
    expect(textOf(utf8('<p>caf\u00e9</p>'), header)).toBe('<p>café</p>')
    const legacy = Buffer.from('<p>caf\u00e9 au lait, cr\u00e8me</p>', 'latin1')
    expect(decodeContent(legacy, header, capBytes)).toMatchObject({ kind: 'decoded', bytes: legacy })
    expect(textOf(utf8('<p>hi</p>'), header, 4)).toBe('BODY_TOO_LARGE')
  })

  test('refuses data that is none of all that', () => {
    expect(textOf(hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489'), header)).toBe(
      'DECODE_FAILED',
    )
  })

  test('stops a bomb at the cap, and holds no more memory than that', () => {
    const bomb = pack(new Uint8Array(24 * 1024 * 1024))
    const twice = pack(bomb)
    const before = process.memoryUsage().arrayBuffers
    for (const [body, coding] of [
      [bomb, header],
      [twice, `${header}, ${header}`],
      [gzipSync(bomb), `${header}, gzip`],
    ] as const) {
      expect(textOf(body, coding, 4 * 1024 * 1024)).toBe('BODY_TOO_LARGE')
    }
    // Three bombs at a cap of 4 MiB each, nothing collected between them; unbounded they would be 72 MiB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * 6 * 1024 * 1024)
  })
})

describe('gzip', () => {
  const data = gzipSync('hello world').subarray(10)
  const header = (flags: number): Uint8Array => hex(`1f8b08${flags.toString(16).padStart(2, '0')}000000000003`)

  test('the optional fields of its header are skipped', () => {
    expect(textOf(concat(header(0x08), utf8('a.html\0'), data), 'gzip')).toBe('hello world')
    expect(textOf(concat(header(0x10), utf8('a comment\0'), data), 'gzip')).toBe('hello world')
    expect(textOf(concat(header(0x04), hex('0300616263'), data), 'gzip')).toBe('hello world')
    expect(textOf(concat(header(0x1e), hex('0100ff'), utf8('n\0c\0'), hex('abcd'), data), 'gzip')).toBe('hello world')
    expect(textOf(concat(header(0x20), data), 'gzip')).toBe('DECODE_FAILED')
  })

  test('a size in the trailer that lies is no way round the cap', () => {
    const bomb = Uint8Array.from(gzipSync(new Uint8Array(4_000_000)))
    for (const claim of ['00000000', 'ffffffff', '40420f00', '01000000']) {
      bomb.set(hex(claim), bomb.byteLength - 4)
      expect(textOf(bomb, 'gzip', 1_000_000)).toBe('BODY_TOO_LARGE')
      expect(textOf(bomb, 'gzip', 5_000_000)).toBe('DECODE_FAILED')
    }
  })

  test('the cap is for all members together', () => {
    const body = concat(...Array.from({ length: 10 }, () => gzipSync(new Uint8Array(1000))))
    expect(textOf(body, 'gzip', 10_000)).toHaveLength(10_000)
    expect(textOf(body, 'gzip', 9_999)).toBe('BODY_TOO_LARGE')
    expect(textOf(concat(body, body.subarray(0, 15)), 'gzip')).toBe('DECODE_FAILED')
  })

  test('tiny members neither hold memory nor, without end, the thread', () => {
    const tiny = gzipSync('x')
    const before = process.memoryUsage().arrayBuffers
    const decoded = decodeContent(concat(...Array.from({ length: 1000 }, () => tiny)), 'gzip', capBytes)
    expect(decoded.kind === 'decoded' && decoded.bytes.byteLength).toBe(1000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(96 * 1024 * 1024)
    expect(textOf(concat(...Array.from({ length: 5000 }, () => tiny)), 'gzip')).toBe('DECODE_FAILED')
  })
})

describe('zstd', () => {
  test('frames are joined, and skippable ones skipped', () => {
    const skippable = hex('502a4d1803000000010203')
    const body = concat(skippable, zstdCompressSync('foo'), skippable, zstdCompressSync('bar'), skippable)
    expect(textOf(body, 'zstd')).toBe('foobar')
    expect(flagsOf(body, 'zstd')).toEqual([])
    expect(textOf(concat(body, hex('502a4d18ffffff7f01')), 'zstd')).toBe('DECODE_FAILED')
  })

  test('a window above the 8 MiB of RFC 9659 is refused before memory is given to it', () => {
    const params = { [constants.ZSTD_c_contentSizeFlag]: 0 }
    const body = Uint8Array.from(zstdCompressSync(new Uint8Array(500_000), { params, pledgedSrcSize: 500_000 }))
    expect(decodeContent(body, 'zstd', capBytes)).toMatchObject({ kind: 'decoded' })
    const isWindowed = ((body[4] ?? 0) & 0x20) === 0
    expect(isWindowed).toBe(true)
    body[5] = (27 - 10) << 3
    expect(textOf(body, 'zstd')).toBe('DECODE_FAILED')
  })
})

describe('the header', () => {
  test('at most five codings are undone', () => {
    const packed = (layers: number): Uint8Array =>
      Array.from({ length: layers }).reduce<Uint8Array>(bytes => gzipSync(bytes), html)
    expect(textOf(packed(5), 'gzip,gzip,gzip,gzip,gzip')).toBe(Buffer.from(html).toString())
    const decoded = decodeContent(packed(6), 'gzip,gzip,gzip,gzip,gzip,gzip', capBytes)
    expect(decoded).toMatchObject({ kind: 'faulted', fault: { code: 'DECODE_FAILED' } })
    expect(decoded.kind === 'faulted' && decoded.fault.message).toContain('at most 5')
  })

  test('a coding named twice for one layer, as repeated headers do, is no failure', () => {
    expect(textOf(gzipSync(html), 'gzip, gzip')).toBe(Buffer.from(html).toString())
    expect(flagsOf(gzipSync(html), 'gzip, gzip')).toEqual(['mislabelled'])
  })

  test('an unknown coding is refused by name, unless the bytes are known without it', () => {
    const decoded = decodeContent(hex('0001020304'), 'sdch\u001b[31m', capBytes)
    expect(decoded.kind === 'faulted' && decoded.fault).toEqual({
      code: 'DECODE_FAILED',
      message: 'the content coding "sdch?[31m" is unknown; accepted are gzip, deflate, br, zstd',
    })
    expect(textOf(html, 'utf-8')).toBe(Buffer.from(html).toString())
    expect(textOf(gzipSync(html), 'none')).toBe(Buffer.from(html).toString())
  })

  test('text that is by chance a whole brotli stream stays text', () => {
    const json = utf8('{"name": "value"}')
    expect(textOf(json, 'br')).toBe('{"name": "value"}')
    expect(flagsOf(json, 'br')).toEqual(['mislabelled'])
  })

  test('the body itself is handed back where nothing is to be undone', () => {
    const decoded = decodeContent(html, '', capBytes)
    expect(decoded.kind === 'decoded' && decoded.bytes).toBe(html)
    expect(textOf(html, '', 10)).toBe('BODY_TOO_LARGE')
  })
})

describe('properties', () => {
  const seed = Number(process.env.FC_SEED ?? Math.trunc(Math.random() * 2 ** 31))
  const report = `seed ${seed}: FC_SEED=${seed} repeats it`

  test(`any bytes come back through any stack of codings (${report})`, () => {
    const stack = fc.array(fc.constantFrom(...packers), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), stack, (bytes, layers) => {
        const body = layers.reduce<Uint8Array>((inner, { pack }) => pack(inner), bytes)
        const decoded = decodeContent(body, layers.map(({ header }) => header).join(', '), capBytes)
        return decoded.kind === 'decoded' && decoded.flags.length === 0 && Buffer.compare(decoded.bytes, bytes) === 0
      }),
      { seed, numRuns: 300 },
    )
  })

  test(`no garbage throws, and no result is above the cap (${report})`, () => {
    const coding = fc.oneof(fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'gzip, br', 'x'), fc.string())
    const magic = fc.constantFrom('', '1f8b08', '28b52ffd', '789c', '1f8b0800000000000003', '28b52ffd24')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), magic, coding, (bytes, prefix, header) => {
        const decoded = decodeContent(concat(hex(prefix), bytes), header, 1000)
        return decoded.kind === 'faulted' || decoded.bytes.byteLength <= 1000
      }),
      { seed, numRuns: 3000 },
    )
  })

  test(`a flipped bit never gives another page where a checksum came with it (${report})`, () => {
    const layers = packers.filter(({ trailerBytes }) => trailerBytes > 0)
    fc.assert(
      fc.property(fc.constantFrom(...layers), fc.nat(), fc.nat(7), ({ header, pack }, at, bit) => {
        const body = Uint8Array.from(pack(html))
        const place = at % body.byteLength
        body[place] = (body[place] ?? 0) ^ (1 << bit)
        const decoded = decodeContent(body, header, capBytes)
        if (decoded.kind === 'faulted' || decoded.flags.includes('missing-trailer')) return true
        return Buffer.compare(decoded.bytes, html) === 0
      }),
      { seed, numRuns: 1000 },
    )
  })
})

test('brotli of the highest quality and window decodes', () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  expect(textOf(brotliCompressSync(html, { params }), 'br')).toBe(Buffer.from(html).toString())
})
