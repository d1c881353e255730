import type { PageRule } from '../extract/page-rule.ts'
import { type Column, columnInside, columnsOf, namedColumns } from '../stage/columns.ts'
import { byteSize } from './byte-size.ts'
import { checkHeaders } from './check-headers.ts'
import { defaultWebhook } from './defaults.ts'
import type { Job, Output, Webhook } from './job.ts'
import type { OutputShape } from './output-shape.ts'
import type { Problems } from './problems.ts'

/** Formats whose columns must be known before the first item comes. */
const tables: readonly Output['format'][] = ['csv', 'sqlite', 'parquet']

/** A file of ours, in the folder of the run, and no device of any system. */
const archiveName = /^[a-z0-9][a-z0-9._-]{0,80}\.warc(?:\.gz)?$/i
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i

export function checkOutput(
  written: OutputShape = {},
  pages: readonly PageRule[],
  problems: Problems,
): Pick<Job, 'output' | 'webhook'> {
  const { format = 'jsonl', compress = 'none', charset = false, formulas = 'guard', warc = null } = written
  const webhook = checkWebhook(written, problems)
  const ids = written.ids ?? webhook !== null
  const isTable = tables.includes(format)
  if (written.columns !== undefined && !isTable)
    problems.refuse(['output', 'columns'], written.columns, 'nothing where items are no table: lines of JSON have all')
  if (compress !== 'none' && format !== 'jsonl' && format !== 'csv')
    problems.refuse(['output', 'compress'], compress, '`none`: only files of lines are compressed as a whole')
  if (written.rotate !== undefined && format === 'sqlite')
    problems.refuse(['output', 'rotate'], written.rotate, 'nothing where items go to a database')
  if (warc !== null && (!archiveName.test(warc) || device.test(warc)))
    problems.refuse(['output', 'warc'], warc, 'a file name of letters, digits and . _ - that ends in .warc.gz or .warc')
  return {
    output: {
      format,
      compress,
      charset,
      ids,
      rotation: rotationOf(written, problems),
      columns: isTable ? checkColumns(written, format, pages, { ids, charset }, problems) : [],
      guardFormulas: formulas === 'guard',
      warc,
    },
    webhook,
  }
}

function rotationOf({ rotate }: OutputShape, problems: Problems): Output['rotation'] {
  if (rotate === undefined) return null
  const { bytes, everyMs = null } = rotate
  const size = bytes === undefined ? null : byteSize(bytes)
  if (bytes !== undefined && size === null)
    problems.refuse(['output', 'rotate', 'bytes'], bytes, 'a size in bytes, or with a unit: 100MB')
  return size === null && everyMs === null ? null : { bytes: size, everyMs }
}

function checkColumns(
  { columns: named }: OutputShape,
  format: Output['format'],
  pages: readonly PageRule[],
  origin: { readonly ids: boolean; readonly charset: boolean },
  problems: Problems,
): readonly Column[] {
  const known = columnsOf(pages, origin)
  const knownColumn = (name: string): Column | null =>
    known.find(column => column.name === name) ?? columnInside(name, pages)
  const module = pages.find(page => page.module !== undefined)
  if (named === undefined && module !== undefined) {
    problems.refuse(
      ['output', 'columns'],
      undefined,
      `a list of columns: what the module of "${module.name}" gives is not known before it runs, and ${format} must know`,
    )
    return []
  }
  const columns = named === undefined ? known : namedColumns(named).map(column => knownColumn(column.name) ?? column)
  const seen = new Set<string>()
  for (const { name } of columns) {
    // A database takes `Price` and `price` for the same column.
    const key = format === 'sqlite' ? name.toLowerCase() : name
    if (seen.has(key))
      problems.say(['output', 'format'], `two columns of the table would be called ${name}: rename a field`)
    seen.add(key)
    if (named !== undefined && module === undefined && knownColumn(name) === null)
      problems.refuse(['output', 'columns'], name, `one of ${known.map(column => column.name).join(', ')}`)
  }
  return columns
}

function checkWebhook(
  { webhook, format = 'jsonl', compress = 'none', rotate }: OutputShape,
  problems: Problems,
): Webhook | null {
  if (webhook === undefined) return null
  const {
    url,
    batch = defaultWebhook.batch,
    headers,
    giveUpMs = defaultWebhook.giveUpMs,
  } = typeof webhook === 'string' ? { url: webhook } : webhook
  const parsed = url === undefined ? null : URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    problems.refuse(['output', 'webhook'], url, 'a URL that begins with http: or https:')
  if (format !== 'jsonl' || compress !== 'none' || rotate !== undefined)
    problems.say(
      ['output', 'webhook'],
      'it is fed from one plain file of JSON lines; leave `format`, `compress` and `rotate` out',
    )
  return { url: url ?? '', batch, headers: checkHeaders(headers, ['output', 'webhook', 'headers'], problems), giveUpMs }
}
