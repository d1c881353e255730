import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as library from '../../src/index.ts'
import { main } from '../main.ts'

const run = promisify(execFile)
const entry = join(dirname(main), '..', 'index')
const isBundled = process.env.MILLRACE_DIST !== undefined

const loads = [
  ['import', `import(${JSON.stringify(pathToFileURL(`${entry}.js`).href)})`],
  ['require', `new Promise(resolve => resolve(require(${JSON.stringify(`${entry}.cjs`)})))`],
  ['a module that is required', `new Promise(resolve => resolve(require(${JSON.stringify(`${entry}.js`)})))`],
] as const

const told = async (load: string, before = ''): Promise<string> => {
  const tell = 'names => console.log(JSON.stringify(Object.keys(names).sort())), thrown => console.log(thrown.message)'
  const { stdout } = await run(process.execPath, ['-e', `${before};${load}.then(${tell})`])
  return stdout.trim()
}

test.runIf(isBundled).each(loads)('the package gives all that it exports to %s', async (_, load) => {
  expect(JSON.parse(await told(load))).toEqual(Object.keys(library).sort())
})

test.runIf(isBundled).each(loads)('on an older Node the package tells %s what is wanted', async (_, load) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  expect(await told(load, older)).toBe('Millrace needs Node 24 or newer; this is Node 20.20.2.')
})
