import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { type Fault, MillraceError, toFault } from '../core/errors.ts'
import { seedProblem } from './check-seeds.ts'
import type { Job, Seed } from './job.ts'
import { seedOf, seedRecord } from './seed-shape.ts'

/** No URL comes near it; a longer line is a file of another kind, and would be held in memory as a whole. */
const longestLine = 1_000_000

const refuse = (place: string, sentence: string, cause?: unknown): MillraceError =>
  new MillraceError('CONFIG_INVALID', `${place}: ${sentence}`, { cause })

async function* linesOf(stream: Readable, name: string): AsyncGenerator<string> {
  let rest = ''
  let count = 0
  stream.setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = lines.pop() ?? ''
    count += lines.length
    if (rest.length > longestLine) throw refuse(`${name}:${count + 1}`, 'this line is too long for a URL')
    yield* lines
  }
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

async function* seedsOf(stream: Readable, name: string, pages: Job['pages']): AsyncGenerator<SeedLine> {
  let count = 0
  try {
    for await (const text of linesOf(stream, name)) {
      count += 1
      // A byte order mark belongs to the file and not to its first URL.
      const line = readLine(count === 1 ? text.replace(/^\uFEFF/, '') : text, `${name}:${count}`, pages)
      if (line !== null) yield line
    }
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown
    throw refuse(
      name,
      `the seeds cannot be read (${thrown instanceof Error ? thrown.message : String(thrown)})`,
      thrown,
    )
  }
}

/**
 * The seeds of a job in their order. Files are read as they are asked for, so that a million URLs take no memory: one
 * URL a line, or `{"url": ..., "page": ...}`; blank lines and lines that begin with `#` are skipped.
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
    if (source.kind === 'url') yield { kind: 'seed', seed: source.seed }
    else if (source.path === '-') yield* seedsOf(addAbortSignal(signal, stdin), 'standard input', job.pages)
    else yield* seedsOf(addAbortSignal(signal, createReadStream(source.path)), source.path, job.pages)
  }
}
