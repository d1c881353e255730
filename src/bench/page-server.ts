import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Env, processCpuMs } from '../core/clock.ts'
import type { Dials } from './figures.ts'

export interface ServedPage {
  readonly body: Uint8Array
  readonly contentType: string
  readonly contentCoding: string
}

/** What the server saw since it was last asked. */
export interface Seen {
  /** The most requests that it had at once. */
  readonly peak: number
  readonly requests: number
  readonly cpuMs: number
}

export interface PageServer extends AsyncDisposable {
  readonly port: number
  /** Since it was last read. */
  read(): Seen
}

/** Pages are asked for by number, and come round again: `/page-0`, `/page-1`, ... */
export const pagePath = (nth: number): string => `/page-${nth}`

function headersOf({ body, contentType, contentCoding }: ServedPage): Record<string, string | number> {
  return {
    'content-type': contentType || 'text/html',
    'content-length': body.byteLength,
    ...(contentCoding !== '' && { 'content-encoding': contentCoding }),
  }
}

/** Serves these pages on a port of this machine, as slowly and as few at once as the dials say. */
export async function startPageServer(
  pages: readonly ServedPage[],
  { latencyMs, capacity }: Pick<Dials, 'latencyMs' | 'capacity'>,
  { clock, random }: Env,
): Promise<PageServer> {
  const waiting: (() => void)[] = []
  const places = capacity ?? Number.POSITIVE_INFINITY
  let [working, open, peak, requests] = [0, 0, 0, 0]
  let cpuSinceMs = processCpuMs()

  function begin(work: () => void): void {
    working += 1
    clock.after(latencyMs * (0.5 + random()), () => {
      working -= 1
      waiting.shift()?.()
      work()
    })
  }

  function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const nth = url.startsWith(pagePath(0).slice(0, -1)) ? Number(url.slice(pagePath(0).length - 1)) : Number.NaN
    const page = pages[nth % pages.length]
    if (page === undefined) {
      response.writeHead(404).end()
      return
    }
    open += 1
    requests += 1
    peak = Math.max(peak, open)
    response.on('close', () => {
      open -= 1
    })
    const start = (): void => begin(() => response.writeHead(200, headersOf(page)).end(page.body))
    if (working < places) start()
    else waiting.push(start)
  }

  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    read() {
      const seen = { peak, requests, cpuMs: processCpuMs() - cpuSinceMs }
      peak = open
      requests = 0
      cpuSinceMs = processCpuMs()
      return seen
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
