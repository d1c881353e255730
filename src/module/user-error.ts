import { fileURLToPath } from 'node:url'

/** Our own sources: their frames say nothing to the author of a module. */
const own = new URL('../..', import.meta.url)
const ownPlaces = ['src/', 'workers/'].flatMap(folder => {
  const url = new URL(folder, own)
  return [url.href, fileURLToPath(url)]
})

const longestMessage = 1_000
const place = /(file:\/\/\/[^\s()]+?|(?<![\w.:/])\/[^\n():]+?):(\d+)(?::(\d+))?(?![\w/])/g

function pathOf(written: string): string {
  try {
    return written.startsWith('file:') ? fileURLToPath(written) : written
  } catch {
    return written
  }
}

/** `file:line:column` of the innermost code that is the user's; null where a stack names none. */
function placeOf(stack: string): string | null {
  for (const [, written = '', line = '', column] of stack.matchAll(place)) {
    if (written.includes('/node_modules/') || ownPlaces.some(prefix => written.startsWith(prefix))) continue
    return [pathOf(written), line, ...(column === undefined ? [] : [column])].join(':')
  }
  return null
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`
  if (typeof thrown === 'object' && thrown !== null) return `threw ${JSON.stringify(thrown)}, which is no Error`
  return `threw ${JSON.stringify(String(thrown))}, which is no Error`
}

/**
 * Whatever a user's code threw as one text, with the place in that code where there is one. Never throws: a thrown value
 * may be anything, with getters and a `toString` of its own.
 */
export function userErrorText(thrown: unknown): string {
  try {
    const sentence = sentenceOf(thrown).slice(0, longestMessage)
    const at = thrown instanceof Error && typeof thrown.stack === 'string' ? placeOf(thrown.stack) : null
    return at === null ? sentence : `${at}: ${sentence}`
  } catch {
    return 'threw a value that cannot be looked at'
  }
}
