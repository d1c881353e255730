import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { type Fault, faultOf, MillraceError, messageOf, toFault } from '../core/errors.ts'
import { seedProblem } from './check-seeds.ts'
import type { CsvRules, Job, Seed, SeedSource } from './job.ts'
import { contentOf } from './seed-file.ts'
import { seedOf, seedRecord } from './seed-shape.ts'

/** No URL comes near it; a longer line is a file of another kind, and would be held in memory as a whole. */
const longestLine = 1_000_000

const refuse = (place: string, sentence: string, cause?: unknown): MillraceError =>
  new MillraceError('CONFIG_INVALID', `${place}: ${sentence}`, { cause })

async function* linesOf(stream: Readable, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let count = 0
  for await (const chunk of contentOf(stream)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    count += lines.length
    if (rest.length > longestLine) throw refuse(`${name}:${count + 1}`, 'this line is too long for a URL')
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

const recordText = '{"url": "https://...", "page": "..."}'

/** A line of JSON as a seed. @throws CONFIG_INVALID */
function parseRecord(line: string, place: string): Seed {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch (thrown) {
    throw refuse(place, `this line begins like JSON and is none; expected ${recordText}`, thrown)
  }
  const read = seedRecord.safeParse(record)
  if (read.success) return seedOf(read.data)
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys') throw refuse(place, issue.message)
  const path = issue?.path ?? []
  throw refuse(place, `expected ${recordText}, and as \`${path.join('.')}\` ${issue?.message}`)
}

/** Null: a blank line or a comment. */
function parseLine(line: string, place: string, pages: Job['pages']): Seed | null {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return null
  const seed = text.startsWith('{') ? parseRecord(text, place) : seedOf({ url: text })
  const problem = seedProblem(seed, pages)
  if (problem !== null) throw refuse(place, problem)
  return seed
}

/** One line of a file of seeds, or one seed of the job. */
export type SeedLine =
  | { readonly kind: 'seed'; readonly seed: Seed }
  /** One wrong line among a million must not end a run: it is told, with its place, like a page that failed. */
  | { readonly kind: 'bad'; readonly text: string; readonly fault: Fault }

/** As much of a bad line as is worth showing. */
const shownCharacters = 200

function readLine(text: string, place: string, pages: Job['pages']): SeedLine | null {
  try {
    const seed = parseLine(text, place, pages)
    return seed === null ? null : { kind: 'seed', seed }
  } catch (thrown) {
    return { kind: 'bad', text: text.trim().slice(0, shownCharacters), fault: toFault(thrown, 'CONFIG_INVALID') }
  }
}

const bad = (text: string, place: string, reason: string): SeedLine => ({
  kind: 'bad',
  text: text.trim().slice(0, shownCharacters),
  fault: faultOf('CONFIG_INVALID', `${place}: ${reason}`),
})

async function* linesAsSeeds(stream: Readable, name: string, pages: Job['pages']): AsyncGenerator<SeedLine> {
  let count = 0
  for await (const text of linesOf(stream, name)) {
    count += 1
    // A byte order mark belongs to the file and not to its first URL.
    const line = readLine(count === 1 ? text.replace(/^\uFEFF/, '') : text, `${name}:${count}`, pages)
    if (line !== null) yield line
  }
}

async function* rowsAsSeeds(stream: Readable, name: string, csv: CsvRules): AsyncGenerator<SeedLine> {
  // Brings the parser: most jobs have no table.
  const { csvSeeds } = await import('./csv-seeds.ts')
  for await (const row of csvSeeds(contentOf(stream), csv)) {
    const problem = row.kind === 'bad' ? row.reason : seedProblem(row.seed, [])
    if (row.kind === 'seed' && problem === null) yield { kind: 'seed', seed: row.seed }
    else yield bad(row.kind === 'bad' ? row.text : row.seed.url, `${name}:${row.line}`, problem ?? '')
  }
}

async function* seedsOf(
  stream: Readable,
  name: string,
  { pages }: Pick<Job, 'pages'>,
  { csv }: SeedSource & { readonly kind: 'file' },
): AsyncGenerator<SeedLine> {
  try {
    yield* csv === undefined ? linesAsSeeds(stream, name, pages) : rowsAsSeeds(stream, name, csv)
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown
    throw refuse(name, `the seeds cannot be read (${messageOf(thrown)})`, thrown)
  }
}

/**
 * The seeds of a job in their order. Files are read as they are asked for, so that a million URLs take no memory: one
 * URL a line, or `{"url": ..., "page": ...}`; blank lines and lines that begin with `#` are skipped. Or a table, with the
 * URL in one of its columns. Any of them may be gzip data. A sitemap is a seed like any other, of a page rule of its own.
 * @param stdin what the file name `-` stands for
 * @param signal ends the reading, and with it the stream that is being read: it rejects then
 * @throws CONFIG_INVALID a file cannot be read, or is no file of lines
 */
export async function* readSeeds(
  job: Pick<Job, 'seeds' | 'pages'>,
  stdin: Readable,
  signal: AbortSignal,
): AsyncGenerator<SeedLine> {
  for (const source of job.seeds) {
    signal.throwIfAborted()
    if (source.kind !== 'file') yield { kind: 'seed', seed: source.seed }
    else if (source.path === '-') yield* seedsOf(addAbortSignal(signal, stdin), 'standard input', job, source)
    else yield* seedsOf(addAbortSignal(signal, createReadStream(source.path)), source.path, job, source)
  }
}
