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
  /** The page is about to be parsed, as the `nth` of the task of its lane. */
  enter(lane: number, nth: number, page: Marked): void
  /**
   * Without effect where no page is there.
   * @param isRead it got a reply, whichever: not it ended the process
   */
  leave(lane: number, nth: number, isRead: boolean): void
}

/** Deaths in a row, after which the page is not parsed again. One digit. */
export const mostDeaths = 9

const digestLength = 40
const lineLength = digestLength + 2
const blank = `${' '.repeat(lineLength - 1)}\n`
const digestOf = ({ page, askedUrl }: Marked): string => hash('sha1', `${page}\n${askedUrl}`, 'hex')
const lineOf = (digest: string, deaths: number): string => `${digest}${Math.min(9, deaths)}\n`

const lineFor = (lane: number, nth: number): number => lane * mostTogether + nth

/** What the process before this one left: a line for each page that can be with a thread, then one for each page that was a suspect already. */
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
 * outlives it without being synced. Some five microseconds a page.
 * @throws SINK_FAILED the file cannot be written
 */
export function openParseMarks(path: string, lanes: number): ParseMarks {
  const mostRunning = lanes * mostTogether
  const suspects = earlierDeaths(path)
  const places = new Map<string, number>()
  const head = `${mostRunning}\n`
  const offsetOf = (line: number): number => head.length + line * lineLength
  const marked: (string | null)[] = Array.from({ length: mostRunning }, () => null)
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

  return {
    deathsOf: page => (suspects.size === 0 ? 0 : (suspects.get(digestOf(page)) ?? 0)),
    enter(lane, nth, page) {
      const digest = digestOf(page)
      const line = lineFor(lane, nth)
      marked[line] = digest
      write(line, lineOf(digest, suspects.get(digest) ?? 0))
    },
    leave(lane, nth, isRead) {
      const line = lineFor(lane, nth)
      const digest = marked[line] ?? null
      if (digest === null) return
      marked[line] = null
      write(line, blank)
      const place = isRead ? places.get(digest) : undefined
      if (place === undefined) return
      suspects.delete(digest)
      places.delete(digest)
      write(place, blank)
    },
    [Symbol.dispose]() {
      closeSync(file)
      if (suspects.size === 0) rmSync(path, { force: true })
    },
  }
}
