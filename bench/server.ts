import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/**
 * A static server in a process of its own, so that its CPU is not the bench's. `/<bytes>` gives a page of that size
 * from memory; `/__stats` gives the peak of requests under way, by Host header, and begins anew.
 */
export interface BenchServer extends AsyncDisposable {
  readonly port: number
  url(bodyBytes: number, host?: string): string
  /** Since the last call. */
  peaks(): Promise<Readonly<Record<string, number>>>
}

export async function startServer(): Promise<BenchServer> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve'])
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve(Number(message)))
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`the bench server ended with ${code}`)))
  })
  return {
    port,
    url: (bodyBytes, host = '127.0.0.1') => `http://${host}:${port}/${bodyBytes}`,
    async peaks() {
      const answer = await fetch(`http://127.0.0.1:${port}/__stats`, { headers: { connection: 'close' } })
      return (await answer.json()) as Record<string, number>
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

function serve(): void {
  const pages = new Map<number, Buffer>()
  const now = new Map<string, number>()
  let peaks = new Map<string, number>()

  function pageOf(bodyBytes: number): Buffer {
    let page = pages.get(bodyBytes)
    if (page === undefined) {
      page = Buffer.alloc(bodyBytes, '<p>All work and no play makes a dull page.</p>\n')
      pages.set(bodyBytes, page)
    }
    return page
  }

  const server = createServer((request, response) => {
    if (request.url === '/__stats') {
      response.end(JSON.stringify(Object.fromEntries(peaks)))
      peaks = new Map()
      return
    }
    const host = request.headers.host ?? ''
    const inFlight = (now.get(host) ?? 0) + 1
    now.set(host, inFlight)
    peaks.set(host, Math.max(inFlight, peaks.get(host) ?? 0))
    response.once('close', () => now.set(host, (now.get(host) ?? 1) - 1))
    const page = pageOf(Number(request.url?.slice(1)) || 0)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) process.send?.(address.port)
  })
  // Whoever started us is gone.
  process.once('disconnect', () => process.exit(0))
}

if (process.argv[2] === 'serve') serve()
