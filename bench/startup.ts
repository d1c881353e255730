import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../src/bench/listen.ts'
import { buildDist, distIndex, distMain } from './dist.ts'
import { assertBounds, machine, median } from './machine.ts'

/**
 * From `millrace run` to the first request that a server sees, and what a run costs that has nothing to do: one that waits
 * for its host. The first start on a machine has its code compiled for those that come after it; it is shown, not
 * asserted. What is measured is the package as it is published.
 *
 * The CPU of a whole run of one page, with its threads and files, is held against that of a process that does nothing but
 * load what people build such a thing from: undici, cheerio and Piscina. Both come from the same minute of the same machine.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const idleMs = 6_000

const folder = mkdtempSync(join(tmpdir(), 'millrace-startup-'))
const arrivals: { readonly path: string; readonly atMs: number; readonly cpuMs: number }[] = []
let running = 0
const server = createServer((request, response) => {
  arrivals.push({ path: request.url ?? '', atMs: performance.now(), cpuMs: cpuMsOf(running) })
  if (request.url === '/robots.txt') response.writeHead(404).end()
  else if (request.url === '/wait') response.writeHead(503, { 'retry-after': '60' }).end()
  else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>')
})
const base = `http://127.0.0.1:${await listen(server)}`

function jobFile(name: string, path: string): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, `name: ${name}\nseeds: ["${base}${path}"]\nitem: { title: title }\n`)
  return file
}

const job = jobFile('once', '/')
let runs = 0
function start(job: string) {
  const args = [distMain, 'run', job, '--out', nextOut(), '--quiet']
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, XDG_CACHE_HOME: folder, NODE_COMPILE_CACHE: '' },
  })
}

interface Start {
  readonly firstMs: number
  /** CPU of the process until then, all threads. */
  readonly cpuMs: number
  readonly pageMs: number
  readonly endMs: number
}

async function firstRequestMs(job: string): Promise<Start> {
  arrivals.length = 0
  const startMs = performance.now()
  const child = start(job)
  running = child.pid ?? 0
  await once(child, 'exit')
  const { atMs: first, cpuMs } = arrivals[0] ?? { atMs: Number.POSITIVE_INFINITY, cpuMs: 0 }
  const page = arrivals.find(({ path }) => path !== '/robots.txt')?.atMs ?? Number.POSITIVE_INFINITY
  return { firstMs: first - startMs, cpuMs, pageMs: page - startMs, endMs: performance.now() - startMs }
}

/** User and system time of a process, in milliseconds: the kernel counts it in ticks of 10. */
function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const stat = `/proc/${pid}/stat`
  const fields = existsSync(stat)
    ? readFileSync(stat, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
    : []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

const probe = join(folder, 'probe.mjs')
const spentIn = join(folder, 'spent')
writeFileSync(
  probe,
  `import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(spentIn)}, JSON.stringify(process.cpuUsage())))`,
)

/** User and system time of a process from its start to its end, all threads, as the kernel tells it to itself. */
async function wholeCpuMs(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', probe, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, XDG_CACHE_HOME: folder, NODE_COMPILE_CACHE: '' },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  const { user, system }: NodeJS.CpuUsage = JSON.parse(readFileSync(spentIn, 'utf8'))
  return (user + system) / 1000
}

/** Imports are named by where this checkout has them: the script stands elsewhere. */
function script(name: string, text: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  return file
}

const libraries = ['undici', 'cheerio', 'piscina'].map(name => JSON.stringify(import.meta.resolve(name)))
const parts = script('parts', libraries.map(url => `import ${url}`).join('\n'))
const embedded = script(
  'embedded',
  `import { crawl, loadJob } from ${JSON.stringify(distIndex)}
await crawl(await loadJob(process.argv[2]), { out: process.argv[3] }).finished()`,
)

const nextOut = (): string => {
  runs += 1
  return join(folder, `out-${runs}`)
}

/** The part of one core that a run takes while all it can do is wait. */
async function idleShare(job: string): Promise<number> {
  const child = start(job)
  while (!arrivals.some(({ path }) => path === '/wait')) await new Promise(resolve => setTimeout(resolve, 50))
  await new Promise(resolve => setTimeout(resolve, 2_000))
  const { pid = 0 } = child
  const startCpuMs = cpuMsOf(pid)
  await new Promise(resolve => setTimeout(resolve, idleMs))
  const share = (cpuMsOf(pid) - startCpuMs) / idleMs
  child.kill('SIGKILL')
  return share
}

buildDist()
const cold = await firstRequestMs(job)
const warm: Start[] = []
for (let round = 0; round < rounds; round += 1) warm.push(await firstRequestMs(job))
const cpu: { readonly parts: number; readonly command: number; readonly embedded: number }[] = []
for (let round = 0; round < rounds; round += 1)
  cpu.push({
    parts: await wholeCpuMs([parts]),
    command: await wholeCpuMs([distMain, 'run', job, '--out', nextOut(), '--quiet']),
    embedded: await wholeCpuMs([embedded, job, nextOut()]),
  })
const idle = process.platform === 'linux' ? await idleShare(jobFile('wait', '/wait')) : 0
server.close()
server.closeAllConnections()
rmSync(folder, { recursive: true })

const figures = {
  bench: 'startup',
  machine,
  rounds,
  firstStart: cold,
  firstRequestMs: median(warm.map(({ firstMs }) => firstMs)),
  firstRequestCpuMs: median(warm.map(({ cpuMs }) => cpuMs)),
  fastestMs: Math.min(...warm.map(({ firstMs }) => firstMs)),
  firstPageMs: median(warm.map(({ pageMs }) => pageMs)),
  wholeRunMs: median(warm.map(({ endMs }) => endMs)),
  idleShare: idle,
  partsCpuMs: median(cpu.map(({ parts }) => parts)),
  commandCpuMs: median(cpu.map(({ command }) => command)),
  embeddedCpuMs: median(cpu.map(({ embedded }) => embedded)),
  commandOverParts: median(cpu.map(({ command, parts }) => command / parts)),
  embeddedOverParts: median(cpu.map(({ embedded, parts }) => embedded / parts)),
}
console.log(JSON.stringify(figures))
assertBounds([
  {
    name: 'from the command to the first request, ms, on a machine at rest',
    value: figures.firstRequestMs,
    atMost: 500,
  },
  {
    name: 'CPU of `millrace run` for one page over that of loading undici, cheerio and Piscina',
    value: figures.commandOverParts,
    atMost: 2.5,
  },
  {
    name: 'CPU of crawl() for one page, nothing compiled before, over the same',
    value: figures.embeddedOverParts,
    atMost: 2.5,
  },
  { name: 'part of a core while nothing can be done', value: figures.idleShare, atMost: 0.01 },
])
