import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { listen } from '../src/bench/listen.ts'
import { cert, key } from '../test/fetch/certificates.ts'

/**
 * Proxies for the benches, in a process of their own: the CPU is not the bench's. Each has a port of its own, answers
 * CONNECT for whatever host, and is that host itself. `MODE FIRST COUNT` as a message sets how some of them behave;
 * `count` is answered with how often each was asked. A page of plain HTTP comes from the first port, and from
 * `plainPort`; the second argument is how long it takes.
 */
type Mode = 'good' | '502' | 'silent'

const [, , count = '50', latencyMs = '0'] = process.argv
const page = Buffer.alloc(10_000, '<h1>All work and no play makes a dull page.</h1>\n')
const modes: Mode[] = Array.from({ length: Number(count) }, () => 'good')
let asked = modes.map(() => 0)

const answerPage: Parameters<typeof createServer>[1] = (_, response) => {
  const send = (): void => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length })
    response.end(page)
  }
  if (latencyMs === '0') send()
  else setTimeout(send, Number(latencyMs))
}
const origin = createSecureServer({ key, cert }, answerPage)
const plain = createServer(answerPage)

function createProxy(at: number): Server {
  const server = createServer(answerPage)
  server.on('connect', (_, socket) => {
    asked[at] = (asked[at] ?? 0) + 1
    socket.on('error', () => {})
    switch (modes[at]) {
      case '502':
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
        return
      case 'silent':
        return
      default:
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        origin.emit('connection', socket)
    }
  })
  return server
}

const ports = await Promise.all(modes.map((_, at) => listen(createProxy(at))))
const plainPort = await listen(plain)

process.on('message', (message: string) => {
  if (message === 'count') {
    process.send?.(asked)
    asked = modes.map(() => 0)
    return
  }
  const [mode, first, many] = message.split(' ')
  modes.fill(mode as Mode, Number(first), Number(first) + Number(many))
  process.send?.('set')
})
process.on('disconnect', () => process.exit())
process.send?.({ ports, plainPort })
