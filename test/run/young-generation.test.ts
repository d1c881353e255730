import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const source = (file: string): string => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)

/** A process of its own, since flags are those of a process: objects that live for a while, made in small bursts. */
const script = `
  import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { realClock } from ${source('core/clock.ts')}
  import { boundYoungGeneration } from ${source('run/young-generation.ts')}
  const flags = cachedDataVersionTag()
  const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
  async function churn(rounds, isOver) {
    const kept = []
    for (let nth = 0; nth < rounds && !isOver(); nth += 1) {
      for (let at = 0; at < 5_000; at += 1) kept[(nth * 5_000 + at) % 200_000] = { at, more: [at] }
      await sleep(5)
    }
    return youngBytes()
  }
  const bounded = boundYoungGeneration(realClock, process.execArgv)
  // How soon it grows is up to V8, and to what else the machine does.
  await churn(5_000, () => youngBytes() >= 16 * 2 ** 20)
  const boundBytes = await churn(400, () => false)
  bounded[Symbol.dispose]()
  const isRestored = cachedDataVersionTag() === flags
  const freeBytes = await churn(5_000, () => youngBytes() > boundBytes)
  console.log(JSON.stringify({ boundBytes, freeBytes, isRestored }))`

test('the young generation stops growing while it is bound, and flags are as they were when that ends', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const { boundBytes, freeBytes, isRestored } = JSON.parse(stdout)
  // It doubles: bound a moment late, it may be twice what it was bound for.
  expect(boundBytes).toBeGreaterThanOrEqual(16 * 2 ** 20)
  expect(boundBytes).toBeLessThanOrEqual(33 * 2 ** 20)
  expect(freeBytes).toBeGreaterThan(boundBytes)
  expect(isRestored).toBe(true)
})

const untouched = `
  import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8'
  import { boundYoungGeneration } from ${source('run/young-generation.ts')}
  const flags = cachedDataVersionTag()
  const isAsked = { value: false }
  const clock = { after: () => (isAsked.value = true) && { [Symbol.dispose]() {} } }
  boundYoungGeneration(clock, process.execArgv)[Symbol.dispose]()
  console.log(isAsked.value, cachedDataVersionTag() === flags)`

test.each(['--max-semi-space-size=32', '--min_semi_space_size=2', '--semi-space-growth-factor=4'])(
  'a user who has set %s is left alone',
  flag => {
    const { stdout } = spawnSync(process.execPath, [flag, '--input-type=module', '-e', untouched], { encoding: 'utf8' })
    expect(stdout).toBe('false true\n')
  },
)
