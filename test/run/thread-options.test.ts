import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { threadOptions } from '../../src/core/thread-options.ts'
import { temporaryFolder } from '../cli/kit.ts'
import { main } from '../main.ts'

const run = promisify(execFile)
const source = join(dirname(main), '..', 'index.ts')
const index = pathToFileURL(existsSync(source) ? source : source.replace(/ts$/, 'js')).href

/** With all threads that there are: parse, state, archive, cache, conversion. */
const crawling = (out: string): string => `
  const { createServer } = await import('node:http')
  const { crawl } = await import(${JSON.stringify(index)})
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>here</title>'))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const seeds = ['http://127.0.0.1:' + server.address().port + '/']
  const output = { format: 'parquet', warc: 'pages.warc.gz' }
  const job = { name: 'text', seeds, item: { title: 'title' }, output, cache: ${JSON.stringify(`${out}-cache`)} }
  const report = await crawl(job, { out: ${JSON.stringify(out)}, threads: 1 }).finished()
  server.close()
  console.log('items', report.items)`
const asScript = (code: string): string =>
  `(async () => {${code}\n})().catch(thrown => { console.error(thrown); process.exit(1) })`

test.each([
  ['node -e', '', ['-e'], asScript],
  ['node -p', '', ['-p'], asScript],
  ['node --input-type=module -e', '', ['--input-type=module', '-e'], (code: string) => code],
  [
    'node --input-type with options of V8, of the process and of threads',
    '',
    [
      '--expose-gc',
      '--title=x',
      '--no-warnings',
      '--import',
      'data:text/javascript,',
      '--input-type',
      'module',
      '--eval',
    ],
    (code: string) => code,
  ],
  ['node --input-type=commonjs -p', '', ['--input-type=commonjs', '-p'], asScript],
  [
    'node -e with --input-type and other options in NODE_OPTIONS',
    '--input-type=module --max-old-space-size=2000 --stack-trace-limit=9 --no-warnings --import "data:text/javascript,"',
    ['-e'],
    (code: string) => code,
  ],
])('a program given as text crawls into a folder: %s', { timeout: 60_000 }, async (_, inherited, options, program) => {
  await using folder = await temporaryFolder()
  const args = [...options, program(crawling(join(folder.path, 'out')))]
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: inherited } })
  expect(stdout).toContain('items 1')
})

const kept = [
  '-r',
  'one',
  '--import=two',
  '-C',
  'three',
  '--no-warnings',
  '--permission',
  '--allow-fs-read=/x',
  '--allow-worker',
]

test('threads of a program given as text keep its loaders, conditions and permissions, and not its text', () => {
  const text = ['--max-old-space-size=99', '--input-type', 'module', '-e', 'warnings()']
  expect(threadOptions([...kept, ...text], [])).toEqual({ execArgv: kept })
})

test('threads of a program whose environment says that it is text keep as much of that', () => {
  const { env, ...rest } = threadOptions(['-e', 'warnings()'], ['--input-type=module', '--title=x', ...kept])
  expect(rest).toEqual({})
  expect(env).toEqual({ ...process.env, NODE_OPTIONS: kept.join(' ') })
})

test('threads of a program in a file have the options of its process', () => {
  expect(threadOptions(['--expose-gc', '--import', 'x'], ['--max-old-space-size=99'])).toEqual({})
})
