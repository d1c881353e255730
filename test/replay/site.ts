import { gzipSync } from 'node:zlib'
import { createHttpServer } from '../servers/http.ts'

export interface Site extends AsyncDisposable {
  readonly origin: string
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[]
}

const pages = 40

const listPage = `<title>All</title>${Array.from({ length: pages }, (_, nth) => `<a href="/item/${nth}">${nth}</a>`).join('')}
<a href="/old/1">moved</a><a href="/old/2">moved to the same</a><a href="/gone">gone</a><a href="/busy">busy</a>
<a href="/hidden">forbidden</a><a href="/hop">sends on</a>`

const itemPage = (name: string): string =>
  `<title>${name}</title><h1>${name}</h1><p>${'Words and words. '.repeat(50)}</p>`

/**
 * A site with all that a recording has to keep: redirects, dead ends, codings, a robots file.
 * @param refusals answers of `/busy` that ask to wait, before it has a page
 */
export async function startSite(refusals = 0): Promise<Site> {
  const asked: string[] = []
  let busy = 0
  const server = await createHttpServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const send = (text: string, headers: Record<string, string> = {}): void => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      response.end(headers['content-encoding'] === 'gzip' ? gzipSync(text) : text)
    }
    if (path === '/robots.txt') return send('User-agent: *\nDisallow: /hidden\n', { 'content-type': 'text/plain' })
    if (path === '/') return send(listPage)
    if (path.startsWith('/old/')) return void response.writeHead(301, { location: '/new' }).end()
    if (path === '/new' || path === '/behind') return send(itemPage(path))
    if (path === '/hop') return send('<meta http-equiv="refresh" content="0;url=/behind">')
    if (path === '/busy' && busy++ < refusals) return void response.writeHead(503, { 'retry-after': '1' }).end()
    if (path === '/busy') return send(itemPage('busy'))
    if (!path.startsWith('/item/')) return void response.writeHead(404).end()
    const nth = Number(path.slice('/item/'.length))
    // Later ones answer sooner, so that nothing ends in the order in which it began.
    setTimeout(() => send(itemPage(`Item ${nth} é`), nth % 2 ? { 'content-encoding': 'gzip' } : {}), (pages - nth) % 7)
  })
  return {
    origin: server.url,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
