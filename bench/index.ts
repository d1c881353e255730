import { spawnSync } from 'node:child_process'

/** Every bench, one after the other, each in a process of its own; the exit code says whether all bounds hold. */
const benches = [
  'admit',
  'parse',
  'extract',
  'fetch',
  'crawl',
  'threads',
  'queue',
  'hostile',
  'limiters',
  'limiters-live',
  'proxies',
  'what-if',
  'scale',
  'startup',
  'sweep',
  'soak',
]
const missed = benches.filter(name => {
  console.log(`\n== ${name}`)
  return (
    spawnSync(process.execPath, [new URL(`${name}.ts`, import.meta.url).pathname], { stdio: 'inherit' }).status !== 0
  )
})
console.log(missed.length === 0 ? '\nAll bounds hold.' : `\nMissed: ${missed.join(', ')}`)
process.exitCode = missed.length === 0 ? 0 : 1
