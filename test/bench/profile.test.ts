import { expect, test } from 'vitest'
import { type CpuProfile, partsOf } from '../../bench/profile-parts.ts'
import { kindOf, sumsByKind, threadFacts } from '../../bench/thread-kinds.ts'

const statOf = (name: string, nice: number): string =>
  `4711 (${name}) S 1 1 1 0 -1 4194304 100 0 0 0 12 3 0 0 20 ${nice} 9 0 100 200 300`

test('a thread has the name, the rank and the CPU time that the system says', () => {
  const facts = threadFacts(statOf('my) (worker', 19), '1500000 200 30\n', false)
  expect(facts).toEqual({ name: 'my) (worker', isMain: false, nice: 19, cpuMs: 1.5 })
})

test('the threads of a run are told apart', () => {
  const kind = (name: string, nice = 0, isMain = false) => kindOf({ name, nice, isMain, cpuMs: 0 })
  expect(kind('MainThread', 0, true)).toBe('main')
  expect(kind('WorkerThread', 19)).toBe('parse')
  expect(kind('WorkerThread')).toBe('state')
  expect(kind('V8Worker')).toBe('v8')
  expect(kind('DelayedTaskSche')).toBe('v8')
  expect(kind('libuv-worker')).toBe('others')
})

test('threads of a kind count together', () => {
  const workers = [1, 2].map(cpuMs => ({ name: 'WorkerThread', isMain: false, nice: 19, cpuMs }))
  expect(sumsByKind(workers)).toEqual({ main: 0, parse: 3, v8: 0, state: 0, others: 0 })
})

const root = 'file:///home/src/millrace/'
const node = (id: number, functionName: string, url: string, ...children: number[]) => ({
  id,
  callFrame: { functionName, url },
  children,
})
const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', '', 2, 3, 4, 6, 8),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'scan', `${root}src/extract/stream/scanner.ts`, 5),
    node(5, 'indexOf', ''),
    node(6, 'onReadable', `${root}node_modules/undici/lib/dispatcher/client-h1.js`, 7),
    node(7, 'wasm-function[7]', 'wasm://wasm/6a2c'),
    node(8, 'main', `${root}bench/crawl-millrace.ts`),
  ],
  samples: [2, 3, 4, 5, 5, 6, 7, 8],
  timeDeltas: [9_000, 1_000, 1_000, 1_000, 1_000, 1_000, 500, 250],
}

test('time is its part of the program, what is built in its caller, and what was waited nobody', () => {
  expect(partsOf(profile, root)).toEqual([
    ['scanner and fields', 3],
    ['undici and the fetcher', 1.5],
    ['garbage collection', 1],
    ['others', 0.25],
  ])
})
