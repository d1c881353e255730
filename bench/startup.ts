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
 * From `millrace run` to the first request that a server sees, which is that for the robots file, and what a run costs that
 * has nothing to do: one that waits for its host. A cold start is the first on a machine: no code has been compiled, which it
 * does for those that come after it. A job whose pages a module reads asks for nothing before its module has been loaded.
 * What is measured is the package as it is published.
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

function jobFile(name: string, path: string, read: string): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, `name: ${name}\nseeds: ["${base}${path}"]\n${read}\n`)
  return file
}

const fields = 'item: { title: title }'
writeFileSync(join(folder, 'title.ts'), `export const parse = ({ $ }) => ({ title: $('title').text() as string })\n`)
const jobs = { fields: jobFile('fields', '/', fields), module: jobFile('module', '/', 'module: ./title.ts') }

const environmentWith = (cache: string): NodeJS.ProcessEnv => ({
  ...process.env,
  XDG_CACHE_HOME: cache,
  NODE_COMPILE_CACHE: '',
})

let runs = 0
function start(job: string, cache: string) {
  const args = [distMain, 'run', job, '--out', nextOut(), '--quiet']
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environmentWith(cache) })
}

interface Start {
  /** To the first request, and to that for the page. */
  readonly firstMs: number
  readonly pageMs: number
  /** CPU of the process until then, all threads. */
  readonly cpuMs: number
  readonly endMs: number
}

async function startOf(job: string, cache: string): Promise<Start> {
  arrivals.length = 0
  const startMs = performance.now()
  const child = start(job, cache)
  running = child.pid ?? 0
  await once(child, 'exit')
  const { atMs: first, cpuMs } = arrivals[0] ?? { atMs: Number.POSITIVE_INFINITY, cpuMs: 0 }
  const page = arrivals.find(({ path }) => path !== '/robots.txt')?.atMs ?? Number.POSITIVE_INFINITY
  return { firstMs: first - startMs, cpuMs, pageMs: page - startMs, endMs: performance.now() - startMs }
}

interface Starts extends Start {
  readonly fastestMs: number
}

/** Medians of several; cold ones have a folder of their own each. */
async function startsOf(job: string, isCold: boolean): Promise<Starts> {
  const starts: Start[] = []
  for (let round = 0; round < rounds; round += 1)
    starts.push(await startOf(job, isCold ? mkdtempSync(join(folder, 'cache-')) : folder))
  const medianOf = (of: (start: Start) => number): number => median(starts.map(of))
  return {
    firstMs: medianOf(({ firstMs }) => firstMs),
    fastestMs: Math.min(...starts.map(({ firstMs }) => firstMs)),
    pageMs: medianOf(({ pageMs }) => pageMs),
    cpuMs: medianOf(({ cpuMs }) => cpuMs),
    endMs: medianOf(({ endMs }) => endMs),
  }
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
    env: environmentWith(folder),
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
  const child = start(job, folder)
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
// Fills the folder of the warm ones; and how long a file takes that comes from the disk is of no interest.
for (const job of Object.values(jobs)) await startOf(job, folder)
const starts: Record<string, Starts> = {}
for (const [name, job] of Object.entries(jobs)) {
  starts[`${name}, cold`] = await startsOf(job, true)
  starts[`${name}, warm`] = await startsOf(job, false)
}
console.table(starts)
const cpu: { readonly parts: number; readonly command: number; readonly embedded: number }[] = []
for (let round = 0; round < rounds; round += 1)
  cpu.push({
    parts: await wholeCpuMs([parts]),
    command: await wholeCpuMs([distMain, 'run', jobs.fields, '--out', nextOut(), '--quiet']),
    embedded: await wholeCpuMs([embedded, jobs.fields, nextOut()]),
  })
const idle = process.platform === 'linux' ? await idleShare(jobFile('wait', '/wait', fields)) : 0
server.close()
server.closeAllConnections()
rmSync(folder, { recursive: true })

const figures = {
  bench: 'startup',
  machine,
  rounds,
  starts,
  idleShare: idle,
  partsCpuMs: median(cpu.map(({ parts }) => parts)),
  commandCpuMs: median(cpu.map(({ command }) => command)),
  embeddedCpuMs: median(cpu.map(({ embedded }) => embedded)),
  commandOverParts: median(cpu.map(({ command, parts }) => command / parts)),
  embeddedOverParts: median(cpu.map(({ embedded, parts }) => embedded / parts)),
}
console.log(JSON.stringify(figures))
assertBounds([
  ...Object.entries(starts).map(([name, { firstMs }]) => ({
    name: `from the command to the first request, ms, on a machine at rest (${name})`,
    value: firstMs,
    atMost: 500,
  })),
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
