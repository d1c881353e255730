import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Env } from '../core/clock.ts'
import type { Dials } from './figures.ts'
import { listen } from './listen.ts'
import { createRequestGauge, type Seen } from './request-gauge.ts'

export interface ServedPage {
  readonly body: Uint8Array
  readonly contentType: string
  readonly contentCoding: string
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
  const gauge = createRequestGauge()
  let working = 0

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
    gauge.begun()
    response.on('close', gauge.ended)
    const start = (): void => begin(() => response.writeHead(200, headersOf(page)).end(page.body))
    if (working < places) start()
    else waiting.push(start)
  }

  const server = createServer(answer)
  return {
    port: await listen(server),
    read: gauge.read,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
