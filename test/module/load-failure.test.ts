import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { millrace, startSite, temporaryFolder, tenPages } from '../cli/kit.ts'

test.each([
  ['throws', 'throw new Error("no such table")', 'no such table'],
  ['ends its thread', 'process.reallyExit(0)', 'it ended its thread: worker exited with code: 0'],
])('a module that %s as it loads is told once, and no page is asked for', async (_, source, reason) => {
  await using folder = await temporaryFolder()
  await using site = await startSite(tenPages)
  await folder.write('product.ts', `${source}\nexport const parse = () => {}`)
  await folder.write('job.yaml', `seeds: ["${site.url}/0", "${site.url}/1"]\nmodule: ./product.ts\n`)
  const { code, stderr } = await millrace(['run', 'job.yaml', '--out', 'out', '--threads', '4'], folder.path)
  expect(code).toBe(2)
  expect(stderr).toContain('CONFIG_INVALID  ')
  expect(stderr).toMatch(/module of page rule \S+: \S+\/product\.ts: it cannot be loaded: /)
  expect(stderr.split(reason)).toHaveLength(2)
  expect(site.requests).toBe(0)
})

test.each([
  ['throws', 'throw new Error("no such table")', 'no such table'],
  ['ends its thread', 'process.reallyExit(0)', 'it ended its thread: worker exited with code: 0'],
])(
  'a module that %s in a thread that replaces another ends the run with that reason, once, and mended it goes on',
  async (_, source, reason) => {
    await using folder = await temporaryFolder()
    await using site = await startSite(tenPages)
    await folder.write(
      'product.ts',
      `import { existsSync, writeFileSync } from 'node:fs'
    const mark = import.meta.filename + '.loaded'
    if (existsSync(mark)) { ${source} }
    writeFileSync(mark, '')
    export const parse = ({ url }) => (url.endsWith('/0') ? process.reallyExit(3) : { url })`,
    )
    const seeds = Array.from({ length: 10 }, (_, nth) => `${site.url}/${nth}`)
    await folder.write('job.yaml', `seeds: ${JSON.stringify(seeds)}\nmodule: ./product.ts\n`)
    const { code, stderr } = await millrace(['run', 'job.yaml', '--out', 'out', '--threads', '1'], folder.path)
    expect(code).toBe(2)
    expect(stderr).toContain('CONFIG_INVALID  ')
    expect(stderr.split(reason)).toHaveLength(2)
    expect(site.requests).toBeGreaterThan(0)
    await folder.write('product.ts', 'export const parse = ({ url }) => ({ url })')
    const again = await millrace(['run', 'job.yaml', '--out', 'out', '--threads', '1'], folder.path)
    expect(again.code).toBe(0)
    expect(
      readFileSync(join(folder.path, 'out', 'items.jsonl'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(10)
  },
)
