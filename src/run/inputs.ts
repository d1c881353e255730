import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { MillraceError, messageOf } from '../core/errors.ts'
import type { DeadPage } from '../sink/quarantine.ts'
import { fromArchive } from './archive-input.ts'
import type { BadInput, Input } from './input.ts'

export interface InputOptions {
  readonly stdin: Readable
  /** Inputs are pages that a run set aside, each with what is known of it beside it. */
  readonly replay: boolean
  /** Where files come from: base of their paths. Null: their own place. */
  readonly baseUrl: string | null
}

const lineFiles: ReadonlySet<string> = new Set(['.jsonl', '.ndjson'])
const archives = /\.warc(?:\.gz)?$/i
/** Of a folder; a file that is named itself may have any name. */
const pageFiles: ReadonlySet<string> = new Set(['.html', '.htm', '.xhtml', '.xml', ...lineFiles])

const fromText = (text: string, url: string, page: string | null): Input => ({
  url,
  finalUrl: url,
  page,
  body: new TextEncoder().encode(text),
  contentType: 'text/html; charset=utf-8',
  contentCoding: '',
  depth: 0,
})

/** One line of JSON: `{ url, html, page? }`. */
function fromLine(line: string, place: string): Input | BadInput {
  const bad = (reason: string): BadInput => ({ place, reason })
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (thrown) {
    return bad(`this is not JSON: ${messageOf(thrown)}`)
  }
  const { url, html, page = null } = (value ?? {}) as { url?: unknown; html?: unknown; page?: unknown }
  if (typeof url !== 'string' || !URL.canParse(url)) return bad('`url` must be an absolute URL')
  if (typeof html !== 'string') return bad('`html` must be the text of the page')
  if (page !== null && typeof page !== 'string') return bad('`page` must be the name of a page rule')
  return fromText(html, url, page)
}

async function* fromLines(stream: Readable, name: string): AsyncGenerator<Input | BadInput> {
  let number = 0
  for await (const line of createInterface({ input: stream })) {
    number += 1
    if (line.trim() !== '') yield fromLine(line, `${name}:${number}`)
  }
}

/** Lines of JSON, or one page: told by the first character that is none of white space. */
async function* fromPipe(stdin: Readable, url: string): AsyncGenerator<Input | BadInput> {
  const held: Buffer[] = []
  const chunks = stdin[Symbol.asyncIterator]()
  let isLines = false
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    held.push(Buffer.from(next.value))
    const first = /\S/.exec(Buffer.concat(held).toString('latin1'))?.[0]
    if (first === undefined) continue
    isLines = first === '{'
    break
  }
  if (!isLines) {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      held.push(Buffer.from(next.value))
    if (held.length > 0)
      yield { ...fromText('', url, null), body: new Uint8Array(Buffer.concat(held)), contentType: '' }
    return
  }
  const rest = new PassThrough()
  const feeding = (async () => {
    for (const chunk of held) rest.write(chunk)
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      if (!rest.write(next.value)) await new Promise(resolve => rest.once('drain', resolve))
    rest.end()
  })()
  yield* fromLines(rest, 'standard input')
  await feeding
}

async function fromFile(path: string, url: string): Promise<Input> {
  return { ...fromText('', url, null), body: new Uint8Array(await readFile(path)), contentType: '' }
}

async function fromQuarantine(path: string): Promise<Input | BadInput> {
  const text = await readFile(`${path}.json`, 'utf8').catch(() => null)
  if (text === null)
    return {
      place: path,
      reason: `there is no ${basename(path)}.json beside it; --replay reads pages that a run set aside`,
    }
  const meta: DeadPage = JSON.parse(text)
  const { url, finalUrl, page, depth, status, headers } = meta
  return {
    url,
    finalUrl,
    page,
    body: new Uint8Array(await readFile(path)),
    contentType: headers['content-type'] ?? '',
    contentCoding: headers['content-encoding'] ?? '',
    depth,
    status,
    headers,
  }
}

async function filesOf(path: string, replay: boolean): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const wanted = (name: string): boolean =>
    replay ? name.endsWith('.body') : pageFiles.has(extname(name).toLowerCase()) || archives.test(name)
  return names
    .filter(wanted)
    .sort()
    .map(name => join(path, name))
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read',
}

/**
 * Files, folders of them, web archives, lines of JSON (`{ "url": ..., "html": ... }`), and `-` for standard input, in the order given.
 * @throws CONFIG_INVALID a path cannot be read
 */
export async function* readInputs(paths: readonly string[], options: InputOptions): AsyncGenerator<Input | BadInput> {
  const { stdin, replay, baseUrl } = options
  const urlOf = (file: string, top: string): string => {
    if (baseUrl === null) return pathToFileURL(file).href
    const below = relative(top, file).split(sep).map(encodeURIComponent).join('/')
    return new URL(below, baseUrl).href
  }
  for (const path of paths) {
    if (path === '-') {
      yield* fromPipe(stdin, baseUrl ?? 'file:///stdin')
      continue
    }
    try {
      for (const file of await filesOf(path, replay))
        if (replay) yield await fromQuarantine(file)
        else if (archives.test(file)) yield* fromArchive(file)
        else if (lineFiles.has(extname(file).toLowerCase())) yield* fromLines(createReadStream(file), file)
        else yield await fromFile(file, urlOf(file, path))
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
      const reason = readFailures[code] ?? messageOf(cause)
      throw new MillraceError('CONFIG_INVALID', `${path} cannot be read: ${reason}`, { cause })
    }
  }
}
