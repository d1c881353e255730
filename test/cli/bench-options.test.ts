import { expect, test } from 'vitest'
import { checkBenchOptions } from '../../src/cli/bench-options.ts'
import { millrace } from './kit.ts'

test.each([
  ['half', 'made'],
  ['set', 'made'],
  ['seed', 'job'],
  ['size', 'job'],
  ['pages', 'recording'],
  ['concurrency', 'recording'],
] as const)('--%s is refused where it would change nothing: %s', (name, way) => {
  expect(() => checkBenchOptions([name], way)).toThrow(`--${name}: `)
})

test('options that change something are accepted, and so are those of every bench', () => {
  checkBenchOptions(['threads', 'out', 'json', 'concurrency', 'size'], 'made')
  checkBenchOptions(['threads', 'out', 'json', 'pages', 'set', 'seconds'], 'job')
  checkBenchOptions(['threads', 'out', 'json', 'half', 'set', 'max-pages'], 'recording')
})

test('a bench whose folder cannot be made says so before it measures, and does not try for ever', async () => {
  const args = ['bench', '--threads', '1', '--concurrency', '1', '--size', '1kB', '--out', '/proc/none/bench']
  const { code, stderr } = await millrace(args, import.meta.dirname)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^SINK_FAILED {2}\S+ cannot be made/) })
})

test('a bench of half a recording without the recording is told so at once, and measures nothing', async () => {
  const { code, stderr } = await millrace(['bench', '--half', 'parse'], import.meta.dirname)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'CONFIG_INVALID  --half: this is of a recording, which --replay names\n',
  })
})
