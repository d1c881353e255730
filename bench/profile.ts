import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { startChild } from './child.ts'
import type { Figures } from './contest/figures.ts'
import { buildDist } from './dist.ts'
import { writeFigures } from './docs-figures.ts'
import { assertBounds, machineText, median } from './machine.ts'
import { names } from './peers-figures.ts'
import { profileSection, type ThreadCosts } from './profile-docs.ts'
import { type CpuProfile, isOfParseThread, partsOf } from './profile-parts.ts'
import { type KindSums, sumsByKind, type ThreadFacts, threadFacts, threadKinds } from './thread-kinds.ts'

/**
 * Where the CPU of a page goes, which `bench/peers.ts` only adds up: by thread, of the run that it compares and beside it of
 * the two bare loops, and by part of the program, of a run from the sources whose threads are sampled. The first is what
 * is published and exact; the second costs more and says shares alone.
 *
 *     node bench/profile.ts [pages = 3000] [rounds = 3] [--docs]      also writes the tables into docs/bench.md
 */
const { values: options, positionals } = parseArgs({ options: { docs: { type: 'boolean' } }, allowPositionals: true })
const [count = '3000', rounds = '3'] = positionals
const concurrency = '64'
const threads = '2'
const lookMs = 10
const here = (path: string): string => new URL(path, import.meta.url).pathname

/** CPU of each thread of a process until now: the last that was seen of those that have ended. */
function watchThreads(pid: number): Disposable & { read(): KindSums } {
  const seen = new Map<string, ThreadFacts>()
  function look(): void {
    const folder = `/proc/${pid}/task`
    try {
      for (const id of readdirSync(folder)) {
        const [stat, schedstat] = ['stat', 'schedstat'].map(file => readFileSync(join(folder, id, file), 'utf8'))
        seen.set(id, threadFacts(stat ?? '', schedstat ?? '', id === String(pid)))
      }
    } catch {
      // A thread, or all of them, ended between two lines of this.
    }
  }
  const timer = setInterval(look, lookMs)
  return { read: () => sumsByKind(seen.values()), [Symbol.dispose]: () => clearInterval(timer) }
}

/** One run of a contestant: CPU of a page, in milliseconds. */
async function costsOf(script: string, base: string, out: string): Promise<ThreadCosts> {
  const child = spawn(process.execPath, [here(script), base, count, concurrency, out, threads], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  using watch = watchThreads(child.pid ?? 0)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  const { items, cpuMs }: Figures = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '')
  const sums = watch.read()
  const perPage = Object.fromEntries(threadKinds.map(kind => [kind, sums[kind] / items])) as KindSums
  return { ...perPage, whole: cpuMs / items }
}

const medianOf = (runs: readonly ThreadCosts[]): ThreadCosts =>
  Object.fromEntries(
    (['whole', ...threadKinds] as const).map(kind => [kind, median(runs.map(run => run[kind]))]),
  ) as unknown as ThreadCosts

/** A run from the sources, as bundles have no files any more; each of its threads writes a profile of its own. */
async function sampledProfiles(base: string, folder: string): Promise<readonly CpuProfile[]> {
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  const child = spawn(process.execPath, [...flags, here('crawl-millrace.ts'), base, count, threads, concurrency], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the sampled run ended with ${code}`)
  return readdirSync(folder)
    .filter(name => name.endsWith('.cpuprofile'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

if (process.platform !== 'linux') throw new Error('CPU by thread is read from /proc, which Linux alone has')
buildDist()
const scripts = [
  [names.millrace, 'contest/millrace.ts'],
  [names.bareFetch, 'contest/bare-fetch.ts'],
  [names.bareParse, 'contest/bare-parse.ts'],
] as const
using server = await startChild('page-server.ts')
const base = `http://127.0.0.1:${(server.first as { readonly port: number }).port}`
const folder = mkdtempSync(join(tmpdir(), 'millrace-profile-'))
const runs = new Map<string, ThreadCosts[]>(scripts.map(([name]) => [name, []]))
let profiles: readonly CpuProfile[] = []
try {
  for (let round = 0; round < Number(rounds); round += 1)
    for (const [name, script] of scripts) runs.get(name)?.push(await costsOf(script, base, join(folder, 'items.jsonl')))
  const sampled = mkdtempSync(join(folder, 'sampled-'))
  profiles = await sampledProfiles(base, sampled)
} finally {
  rmSync(folder, { recursive: true })
}

const costs = new Map([...runs].map(([name, each]) => [name, medianOf(each)]))
const mainProfile = profiles.find(({ nodes }) =>
  nodes.some(({ callFrame }) => callFrame.url.endsWith('/crawl-millrace.ts')),
)
const root = new URL('..', import.meta.url).href
const parts = {
  main: mainProfile === undefined ? [] : partsOf(mainProfile, root),
  parse: profiles.filter(isOfParseThread).flatMap(profile => partsOf(profile, root)),
}
const how =
  `${Number(count).toLocaleString('en')} fetches, ${concurrency} at once, ${threads} parse threads, medians of ${rounds} rounds, ` +
  `on ${machineText}:`
const section = profileSection(costs, parts, how)
console.log(section)
if (options.docs === true) await writeFigures('bench.md', 'profile.ts', section)
const ours = costs.get(names.millrace)
const seenMs = threadKinds.reduce((sum, kind) => sum + (ours?.[kind] ?? 0), 0)
assertBounds([
  { name: 'CPU that no thread was seen to use, of the whole', value: 1 - seenMs / (ours?.whole ?? 0), atMost: 0.05 },
])
