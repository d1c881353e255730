import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertBounds, machine, median } from './machine.ts'

/**
 * From `millrace run` to the first request that a server sees, and what a run costs that has nothing to do: one that waits
 * ten seconds for its host. The first start on a machine has its code compiled for those that come after it; it is shown, not
 * asserted.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const idleMs = 6_000

const folder = mkdtempSync(join(tmpdir(), 'millrace-startup-'))
const main = new URL('../src/cli/main.ts', import.meta.url).pathname
const arrivals: { readonly path: string; readonly atMs: number; readonly cpuMs: number }[] = []
let running = 0
const server = createServer((request, response) => {
  arrivals.push({ path: request.url ?? '', atMs: performance.now(), cpuMs: cpuMsOf(running) })
  if (request.url === '/robots.txt') response.writeHead(404).end()
  else if (request.url === '/wait') response.writeHead(503, { 'retry-after': '60' }).end()
  else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`

function jobFile(name: string, path: string): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, `name: ${name}\nseeds: ["${base}${path}"]\nitem: { title: title }\n`)
  return file
}

let runs = 0
function start(job: string) {
  runs += 1
  const args = [main, 'run', job, '--out', join(folder, `out-${runs}`), '--quiet']
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

const job = jobFile('once', '/')
const cold = await firstRequestMs(job)
const warm: Start[] = []
for (let round = 0; round < rounds; round += 1) warm.push(await firstRequestMs(job))
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
}
console.log(JSON.stringify(figures))
assertBounds([
  {
    name: 'from the command to the first request, ms, on a machine at rest',
    value: figures.firstRequestMs,
    atMost: 500,
  },
  { name: 'part of a core while nothing can be done', value: figures.idleShare, atMost: 0.01 },
])
