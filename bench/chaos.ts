import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAgainAndAgain, urlsIn } from '../test/resume/kit.ts'
import { assertBounds, machine } from './machine.ts'

/**
 * A job over 20 hosts of this machine, killed with SIGKILL at random moments and started again by the same command, until
 * it ends by itself: what is in the output, and how often a URL was fetched more than once. The seed is printed.
 */
const hosts = Number(process.env.CHAOS_HOSTS ?? 20)
const pagesPerHost = Number(process.env.CHAOS_PAGES ?? 1000)
const kills = Number(process.env.CHAOS_KILLS ?? 25)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const perHost = 4

const fetched = new Map<string, number>()
const server = createServer((request, response) => {
  const url = `http://${request.headers.host}${request.url}`
  if (request.url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  fetched.set(url, (fetched.get(url) ?? 0) + 1)
  const nth = Number(request.url?.slice(1))
  const links = [2 * nth + 1, 2 * nth + 2].filter(child => child < pagesPerHost)
  response.setHeader('content-type', 'text/html')
  setTimeout(() => response.end(`<title>${nth}</title>${links.map(link => `<a href="/${link}">x</a>`).join('')}`), 50)
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'))
const job = {
  name: 'chaos',
  seeds: Array.from({ length: hosts }, (_, nth) => `http://h${nth}.localhost:${port}/0`),
  item: { title: 'title' },
  follow: ['a'],
  limits: { perHost: { policy: 'fixed', max: perHost }, inFlight: 256 },
}
await writeFile(join(folder, 'job.yaml'), JSON.stringify(job))
const codes = await killAgainAndAgain({ folder, kills, seed, longestMs: Number(process.env.CHAOS_MS ?? 900) })
const urls = await urlsIn(folder)
const again = [...fetched.values()].reduce((sum, times) => sum + times - 1, 0)
server.closeAllConnections()
server.close()
await rm(folder, { recursive: true })

const wanted = hosts * pagesPerHost
console.log(
  JSON.stringify({
    bench: 'chaos',
    machine,
    seed,
    starts: codes.length,
    wanted,
    items: urls.length,
    fetchedAgain: again,
  }),
)
assertBounds([
  { name: 'the last start ended by itself, exit code', value: codes.at(-1) ?? 1, atMost: 0 },
  { name: 'different URLs in the output', value: new Set(urls).size, atLeast: wanted },
  { name: 'lines in the output', value: urls.length, atMost: wanted },
  // Under way, in the parse stage, or in a batch that was not kept yet.
  { name: 'URLs fetched again per kill', value: again / Math.max(1, codes.length - 1), atMost: 256 + 256 },
])
