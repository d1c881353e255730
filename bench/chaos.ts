import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../src/bench/listen.ts'
import { fillAgainAndAgain, killAgainAndAgain, smallDisk, urlsIn } from '../test/resume/kit.ts'
import { assertBounds, type Bound, machine } from './machine.ts'

/**
 * A job over 20 hosts of this machine, killed with SIGKILL at random moments and started again by the same command, until
 * it ends by itself: what is in the output, and how often a URL was fetched more than once. Then the same with a disk
 * that becomes full at random moments. Then, in their long forms, the tests that let a simulated process die anywhere,
 * and that cut and flip what is on the disk. The seed is printed.
 */
const hosts = Number(process.env.CHAOS_HOSTS ?? 20)
const pagesPerHost = Number(process.env.CHAOS_PAGES ?? 1000)
const kills = Number(process.env.CHAOS_KILLS ?? 25)
const fillings = Number(process.env.CHAOS_FILLINGS ?? 10)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const longestMs = Number(process.env.CHAOS_MS ?? 900)
const perHost = 4
const wanted = hosts * pagesPerHost

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
const port = await listen(server)
const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'))
const job = {
  name: 'chaos',
  seeds: Array.from({ length: hosts }, (_, nth) => `http://h${nth}.localhost:${port}/0`),
  item: { title: 'title' },
  follow: ['a'],
  limits: { perHost: { policy: 'fixed', max: perHost }, inFlight: 256 },
}
await writeFile(join(folder, 'job.yaml'), JSON.stringify(job))

const exactly = (what: string, urls: readonly string[], lastCode: number | null | undefined): readonly Bound[] => [
  { name: `${what}: the last start ended by itself, exit code`, value: lastCode ?? 1, atMost: 0 },
  { name: `${what}: different URLs in the output`, value: new Set(urls).size, atLeast: wanted },
  { name: `${what}: lines in the output`, value: urls.length, atMost: wanted },
]

async function killed(): Promise<readonly Bound[]> {
  const codes = await killAgainAndAgain({ folder, kills, seed, longestMs })
  const again = [...fetched.values()].reduce((sum, times) => sum + times - 1, 0)
  const urls = await urlsIn(folder)
  const figures = { starts: codes.length, wanted, items: urls.length, fetchedAgain: again }
  console.log(JSON.stringify({ bench: 'chaos', machine, seed, ...figures }))
  return [
    ...exactly('killed', urls, codes.at(-1)),
    // Under way, in the parse stage, or in a batch that was not kept yet.
    { name: 'killed: URLs fetched again per kill', value: again / Math.max(1, codes.length - 1), atMost: 256 + 256 },
  ]
}

async function filled(): Promise<readonly Bound[]> {
  await using disk = await smallDisk(64 * 2 ** 20)
  if (disk === null) {
    console.log('skipped: no disk can be mounted here, so none becomes full')
    return []
  }
  const ends = await fillAgainAndAgain({ disk, folder, times: fillings, seed, longestMs })
  const failed = ends.filter(({ code }) => code !== 0)
  const isTold = ({ code, stderr }: (typeof ends)[number]): boolean => code === 1 && stderr.includes('The disk is full')
  return [
    ...exactly('disk full', await urlsIn(disk.path), ends.at(-1)?.code),
    { name: 'disk full: times it was', value: failed.length, atLeast: Math.min(1, fillings) },
    { name: 'disk full: ends without that reason', value: failed.filter(end => !isTold(end)).length, atMost: 0 },
    { name: 'disk full: half lines', value: ends.filter(({ isWhole }) => !isWhole).length, atMost: 0 },
  ]
}

function longTests(): readonly Bound[] {
  const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
  const files = ['test/resume/crash.test.ts', 'test/frontier/damaged-log.test.ts', 'test/sink/checkpoints.test.ts']
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/vitest.config.ts', ...files], {
    cwd: new URL('..', import.meta.url).pathname,
    env: { CRASH_SEEDS: '2000', CUT_STEP: '1', FLIPS: '1000', ...process.env },
    stdio: 'inherit',
  })
  return [{ name: 'simulated deaths, cuts and flips: exit code', value: status ?? 1, atMost: 0 }]
}

const bounds = [...(await killed()), ...(await filled())]
server.closeAllConnections()
server.close()
await rm(folder, { recursive: true })
assertBounds([...bounds, ...longTests()])
