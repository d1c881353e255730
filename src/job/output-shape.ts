import type { z } from 'zod'
import { headersShape } from './limits-shape.ts'
import { bytesOrSize, closed, either, flag, listOf, milliseconds, oneOf, text, wholeNumber } from './shape.ts'

const address = text('a URL that begins with http: or https:')

const rotate = closed(
  {
    bytes: bytesOrSize(2 ** 50, '100MB, 1GB')
      .meta({ description: 'A file that has grown to this is ended, and the next one begun.' })
      .optional(),
    everyMs: milliseconds(1_000)
      .meta({ description: 'A file that is this old is ended when the next item comes.' })
      .optional(),
  },
  '{ bytes, everyMs }',
).meta({ description: 'Files in a row: items-00001.jsonl, items-00002.jsonl and so on (default: one file).' })

const webhook = either(
  [
    address,
    closed(
      {
        url: address.optional(),
        batch: wholeNumber(1, 10_000).meta({ description: 'Items of one request, at most (default 100).' }).optional(),
        headers: headersShape.optional(),
        giveUpMs: milliseconds(1_000)
          .meta({ description: 'How long it may fail before the run ends, resumable (default ten minutes).' })
          .optional(),
      },
      '{ url, batch, headers, giveUpMs }',
    ),
  ],
  'a URL, or { url, batch, headers, giveUpMs }',
).meta({ description: 'Where items are sent to beside the file, in batches, each at least once.' })

export const outputShape = closed(
  {
    format: oneOf(['jsonl', 'csv', 'sqlite', 'parquet'])
      .meta({ description: 'What items are written as (default jsonl).' })
      .optional(),
    compress: oneOf(['none', 'gzip', 'zstd']).optional(),
    rotate: rotate.optional(),
    columns: listOf(text('a column, such as offer.price'), 'a list of columns')
      .meta({ description: 'Of tables: which columns and in which order (default: all that the schemas have).' })
      .optional(),
    formulas: oneOf(['guard', 'keep'])
      .meta({ description: 'In CSV: whether texts that a spreadsheet would run get an apostrophe (default guard).' })
      .optional(),
    ids: flag
      .meta({ description: 'Whether each item has an `_id` that stays the same (default false, with a webhook true).' })
      .optional(),
    charset: flag
      .meta({ description: 'Whether each item says how its page was decoded, as `_charset` (default false).' })
      .optional(),
    warc: text('the name of a file that ends in .warc.gz or .warc')
      .meta({ description: 'Keeps pages as they came, in a web archive of this name in the folder of the output.' })
      .optional(),
    webhook: webhook.optional(),
  },
  '{ format, compress, rotate, columns, formulas, ids, charset, warc, webhook }',
).meta({ description: 'What is written, and how.' })

export type OutputShape = z.output<typeof outputShape>
