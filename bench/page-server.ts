import { createServer } from 'node:http'
import { realPages } from './pages.ts'

/**
 * A static server for the benches, in a process of its own: `/<n>` is the n-th real page (in turn), and `/stats` says
 * how many requests there were and how many were under way at once, per Host header. Prints its port when it listens.
 */
const pages = realPages()
let underWay: Record<string, number> = {}
let peak: Record<string, number> = {}
let requests = 0
const latencyMs = 20

const server = createServer((request, response) => {
  const host = request.headers.host ?? ''
  if (request.url === '/stats') {
    response.end(JSON.stringify({ requests, peak }))
    underWay = {}
    peak = {}
    requests = 0
    return
  }
  if (request.url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  requests += 1
  underWay[host] = (underWay[host] ?? 0) + 1
  peak[host] = Math.max(peak[host] ?? 0, underWay[host] ?? 0)
  response.on('close', () => {
    underWay[host] = (underWay[host] ?? 1) - 1
  })
  const body = pages[Number(request.url?.slice(1)) % pages.length] ?? new Uint8Array()
  // As long as a quick host takes: without it the server would never see two requests at once.
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.byteLength })
    response.end(body)
  }, latencyMs)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
