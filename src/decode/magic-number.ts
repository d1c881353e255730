import { looksGzipped } from './gzip.ts'
import { latin1 } from './latin1.ts'

/**
 * Signatures of data that no parser of documents can use: from the WHATWG MIME Sniffing standard (6), and the file
 * formats' own specifications. Only those that text cannot begin with by chance: `BM` and `MZ` are left out.
 */
const signatures: readonly (readonly [kind: string, prefix: string, atByte?: number])[] = [
  ['a PNG image', '\x89PNG\r\n\x1a\n'],
  ['a JPEG image', '\xff\xd8\xff'],
  ['a GIF image', 'GIF87a'],
  ['a GIF image', 'GIF89a'],
  ['a WebP image', 'WEBPVP', 8],
  ['a TIFF image', 'II*\0'],
  ['a TIFF image', 'MM\0*'],
  ['an icon', '\0\0\x01\0'],
  ['a PDF document', '%PDF-'],
  ['a PostScript document', '%!PS-Adobe-'],
  ['a ZIP archive', 'PK\x03\x04'],
  ['a ZIP archive', 'PK\x05\x06'],
  ['a RAR archive', 'Rar!\x1a\x07'],
  ['a 7z archive', "7z\xbc\xaf'\x1c"],
  ['an xz archive', '\xfd7zXZ\0'],
  ['a zstd archive', '\x28\xb5\x2f\xfd'],
  ['an MP4 or AVIF file', 'ftyp', 4],
  ['a WebM or Matroska film', '\x1aE\xdf\xa3'],
  ['Ogg audio or video', 'OggS\0'],
  ['MP3 audio', 'ID3\x02'],
  ['MP3 audio', 'ID3\x03'],
  ['MP3 audio', 'ID3\x04'],
  ['FLAC audio', 'fLaC\0'],
  ['WAVE audio', 'WAVEfmt ', 8],
  ['a font', 'wOFF'],
  ['a font', 'wOF2'],
  ['a font', '\0\x01\0\0'],
  ['a WebAssembly module', '\0asm'],
  ['an executable', '\x7fELF'],
  ['an old Office document', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['an SQLite database', 'SQLite format 3\0'],
]

const longestBytes = 16

/** What the bytes are by their signature, in words that follow "is"; null when they may be text. */
export function binaryKindOf(bytes: Uint8Array): string | null {
  if (looksGzipped(bytes)) return 'a gzip archive'
  const head = latin1(bytes, longestBytes)
  return signatures.find(([, prefix, atByte = 0]) => head.startsWith(prefix, atByte))?.[0] ?? null
}
