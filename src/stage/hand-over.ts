import type { Item, ParseRequest } from '../core/wire.ts'
import type { DecodedText } from '../decode/charset.ts'
import { withIds } from './item-id.ts'
import { detached, withCharset } from './item-lines.ts'
import { type LineFormat, linesOf } from './line-format.ts'

/** What becomes of items that are kept. */
export interface OutputRules {
  /** Whether items say how the text of their page was read. Default: false. */
  readonly charset?: boolean
  /** Whether items have an `_id`. Default: false. */
  readonly ids?: boolean
  /** Default: lines of JSON. */
  readonly lines?: LineFormat
}

/** The items of a page as the reply has them: bytes to append, or objects, as the request wants it. */
export function handOver(
  items: readonly Item[],
  request: ParseRequest,
  { charset = false, ids = false, lines }: OutputRules,
  text: Pick<DecodedText, 'charset' | 'source'>,
) {
  const noted = charset ? withCharset(items, text) : items
  const kept = ids ? withIds(noted, request) : noted
  return {
    output: linesOf(request.want === 'bytes' ? kept : [], lines),
    items: request.want === 'objects' ? detached(kept) : [],
    itemCount: kept.length,
  }
}
