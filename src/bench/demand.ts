import { Readable } from 'node:stream'
import { pagePath } from './page-server.ts'

export interface Demand {
  /** Seeds, a line each. */
  readonly lines: Readable
  /** One of them has ended. */
  ended(): void
  /** No more are given. */
  close(): void
}

/**
 * Seeds as they are wanted: never so few that a place stays empty, and not the many thousand at once that would be work
 * for the queue and none for what is measured.
 * @param ahead how many may be given and not have ended
 * @param rules page rules of the pages, in their order
 */
export function createDemand(origin: string, rules: readonly string[], ahead: number): Demand {
  let [given, ended] = [0, 0]
  let isClosed = false
  let wake = (): void => {}

  async function* lines(): AsyncGenerator<string> {
    while (!isClosed) {
      if (given - ended >= ahead) await new Promise<void>(resolve => (wake = resolve))
      else {
        yield `${JSON.stringify({ url: `${origin}${pagePath(given)}`, page: rules[given % rules.length] })}\n`
        given += 1
      }
    }
  }

  return {
    lines: Readable.from(lines(), { objectMode: false, highWaterMark: 1 }),
    ended() {
      ended += 1
      wake()
    },
    close() {
      isClosed = true
      wake()
    },
  }
}
