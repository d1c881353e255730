import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listen } from '../src/bench/listen.ts'
import { realPages } from './pages.ts'

/**
 * A static server for the benches, in a process of its own, so that its CPU is not the bench's. `/<n>` is the n-th real
 * page (in turn), after a while, and `/held/<most>/<n>` the same once as many requests are under way as ever come, which
 * `most` says; `/bytes/<n>` is a page of that size, at once, `/packed/<n>` the same as gzip, and `/titled/<n>` one that has a
 * title.
 * `/stats` says how many requests there were and how many were under way at once, per Host header. Sends its port when it
 * listens.
 */
const pages = realPages()
let underWay: Record<string, number> = {}
let peak: Record<string, number> = {}
let requests = 0
/** As long as a quick host takes: without it the server would never see two requests at once. */
const latencyMs = 20

const sized = new Map<number, Uint8Array>()

function pageOf(bytes: number): Uint8Array {
  const page = sized.get(bytes) ?? Buffer.alloc(bytes, '<p>All work and no play makes a dull page.</p>\n')
  sized.set(bytes, page)
  return page
}

const packed = new Map<number, Uint8Array>()

function packedPageOf(bytes: number): Uint8Array {
  const page = packed.get(bytes) ?? gzipSync(pageOf(bytes))
  packed.set(bytes, page)
  return page
}

/** The title is another one each time: whoever keeps it, and with it the page, keeps all of them. */
function titledPageOf(bytes: number): Uint8Array {
  const page = Buffer.from(pageOf(bytes))
  page.write(`<!doctype html><title>All work and no play, request ${requests}</title>\n`)
  return page
}

const held: (() => void)[] = []
let release: NodeJS.Timeout | undefined

/** Whoever may send more than `most` has time to, and whoever can send only fewer is not waited for without end. */
function hold(most: number, answer: () => void): void {
  held.push(answer)
  clearTimeout(release)
  release = setTimeout(
    () => {
      for (const each of held.splice(0)) each()
    },
    held.length >= most ? 300 : 5_000,
  )
}

const server = createServer((request, response) => {
  const { url = '/' } = request
  const host = request.headers.host ?? ''
  if (url === '/stats') {
    response.end(JSON.stringify({ requests, peak }))
    underWay = {}
    peak = {}
    requests = 0
    return
  }
  if (url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  requests += 1
  underWay[host] = (underWay[host] ?? 0) + 1
  peak[host] = Math.max(peak[host] ?? 0, underWay[host] ?? 0)
  response.on('close', () => {
    underWay[host] = (underWay[host] ?? 1) - 1
  })
  const send = (body: Uint8Array, more: OutgoingHttpHeaders = {}): void => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.byteLength, ...more })
    response.end(body)
  }
  const pageAt = (nth: string): Uint8Array => pages[Number(nth) % pages.length] ?? new Uint8Array()
  const [, kind = '', amount = '', heldNth = ''] = url.split('/')
  const bytes = Number.parseInt(amount, 10) || 0
  if (kind === 'held') hold(bytes, () => send(pageAt(heldNth)))
  else if (kind === 'bytes') send(pageOf(bytes))
  else if (kind === 'packed') send(packedPageOf(bytes), { 'content-encoding': 'gzip' })
  else if (kind === 'titled') send(titledPageOf(bytes))
  else setTimeout(send, latencyMs, pageAt(kind))
})
// Who parses on its only thread may leave a connection alone for seconds, and must not find it closed.
server.keepAliveTimeout = 60_000

process.send?.({ port: await listen(server) })
process.on('disconnect', () => process.exit())
