import { faultOf } from '../core/errors.ts'
import type { Decoded } from './content-coding.ts'
import { gunzip, looksGzipped } from './gzip.ts'

/**
 * What is in a gzip file, such as `sitemap.xml.gz`, whose content codings are undone: `bytes` themselves where they are
 * none. Neither the path nor a header decides, but the first bytes: a path that ends in `.gz` may well give a page, and a
 * server may pack a packed file once more to send it. One layer is opened. What is no whole gzip file is left as it is,
 * for others to refuse.
 */
export function openGzipFile(bytes: Uint8Array, capBytes: number): Decoded {
  if (!looksGzipped(bytes)) return { kind: 'decoded', bytes, flags: [] }
  const opened = gunzip(bytes, capBytes)
  if (opened.kind === 'unwrapped') return { ...opened, kind: 'decoded' }
  if (opened.kind !== 'too-large') return { kind: 'decoded', bytes, flags: [] }
  const message = `what is in the gzip file is larger than limits.bodyBytes (${capBytes})`
  return { kind: 'faulted', fault: faultOf('BODY_TOO_LARGE', message) }
}
