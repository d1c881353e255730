import { hash } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { sinkFailure } from '../core/errors.ts'
import type { ParseRequest } from '../core/wire.ts'
import { mostTogether } from './batch.ts'

/** A page, as far as it matters here. */
export type Marked = Pick<ParseRequest, 'page' | 'askedUrl'>

/**
 * Which pages are being parsed, written down before they are: a page that takes the whole process with it (a fault in
 * native code, a module that kills its process, memory that the system takes back by force) leaves nothing else behind,
 * and a run that goes on would begin with it again, and again.
 *
 * After a death each page that was being parsed is a suspect, and suspects are parsed one at a time. One that came through
 * is none any more; one that was there at so many deaths in a row is to blame. Nothing tells a fault in native code from a
 * `kill -9`, so the count is high: whoever kills a run again and again hardly meets one page each time.
 */
export interface ParseMarks extends Disposable {
  /** How often the process died while this page was parsed. */
  deathsOf(page: Marked): number
  /** The pages of a task are about to be parsed on its lane, which those before them have left. */
  enter(lane: number, pages: readonly Marked[]): void
  /** The `nth` of them got a reply, whichever: not it ended the process. */
  acquit(lane: number, nth: number): void
  /** Nobody follows on this lane for now. Needless between two tasks: the next one overwrites what is there. */
  rest(lane: number): void
}

/** Deaths in a row, after which the page is not parsed again. One digit. */
export const mostDeaths = 9

const digestLength = 40
const lineLength = digestLength + 2
const blank = `${' '.repeat(lineLength - 1)}\n`
const digestOf = ({ page, askedUrl }: Marked): string => hash('sha1', `${page}\n${askedUrl}`, 'hex')
const lineOf = (digest: string, deaths: number): string => `${digest}${Math.min(mostDeaths, deaths)}\n`

const lineFor = (lane: number, nth = 0): number => lane * mostTogether + nth

/** What the process before left: a line for each page that can be with a thread, then one for each earlier suspect. */
function earlierDeaths(path: string): Map<string, number> {
  const deaths = new Map<string, number>()
  let text: string
  try {
    text = readFileSync(path, 'latin1')
  } catch {
    return deaths
  }
  const [head = '', ...lines] = text.split('\n')
  const running = Number(head)
  for (const [at, line] of lines.entries()) {
    const [, digest, count] = /^([\da-f]{40})(\d)$/.exec(line) ?? []
    if (digest === undefined) continue
    const times = Number(count) + (at < running ? 1 : 0)
    deaths.set(digest, Math.max(times, deaths.get(digest) ?? 0))
  }
  return deaths
}

/**
 * In a file of lines of one length, each written in its place: what the process has written is the system's to keep, and
 * outlives it without being synced. One write a task, of some three microseconds.
 * @throws SINK_FAILED the file cannot be written
 */
export function openParseMarks(path: string, lanes: number): ParseMarks {
  const mostRunning = lanes * mostTogether
  const suspects = earlierDeaths(path)
  const places = new Map<string, number>()
  const head = `${mostRunning}\n`
  const offsetOf = (line: number): number => head.length + line * lineLength
  const marked: string[] = []
  /** By lane, how many of its lines are not blank. */
  const written: number[] = []
  let file: number
  try {
    const kept = [...suspects].map(([digest, deaths], nth) => {
      places.set(digest, mostRunning + nth)
      return lineOf(digest, deaths)
    })
    writeFileSync(path, head + blank.repeat(mostRunning) + kept.join(''), { flush: true })
    file = openSync(path, 'r+')
  } catch (cause) {
    throw sinkFailure(path, 'could not be written', cause)
  }

  function write(line: number, text: string): void {
    try {
      writeSync(file, text, offsetOf(line), 'latin1')
    } catch (cause) {
      throw sinkFailure(path, 'could not be written', cause)
    }
  }

  function rest(lane: number): void {
    const lines = written[lane] ?? 0
    if (lines === 0) return
    written[lane] = 0
    try {
      write(lineFor(lane), blank.repeat(lines))
    } catch {
      // It makes suspects of pages that were read, and no more.
    }
  }

  return {
    deathsOf: page => (suspects.size === 0 ? 0 : (suspects.get(digestOf(page)) ?? 0)),
    enter(lane, pages) {
      const lines = pages.map((page, nth) => {
        const digest = digestOf(page)
        marked[lineFor(lane, nth)] = digest
        return lineOf(digest, suspects.get(digest) ?? 0)
      })
      const before = written[lane] ?? 0
      written[lane] = pages.length
      write(lineFor(lane), lines.join('') + blank.repeat(Math.max(0, before - pages.length)))
    },
    acquit(lane, nth) {
      const digest = marked[lineFor(lane, nth)] ?? ''
      const place = places.get(digest)
      if (place === undefined) return
      suspects.delete(digest)
      places.delete(digest)
      write(place, blank)
    },
    rest,
    [Symbol.dispose]() {
      for (const lane of written.keys()) rest(lane)
      closeSync(file)
      if (suspects.size === 0) rmSync(path, { force: true })
    },
  }
}
