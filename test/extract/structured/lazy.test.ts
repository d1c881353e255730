import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { planOf } from '../../../src/extract/plan.ts'
import { ruleOf } from './read.ts'

const jobs: readonly (readonly [item: unknown, libraries: readonly string[]])[] = [
  [
    {
      title: 'h1',
      product: { from: 'json-ld', of: 'Product' },
      og: { from: 'opengraph' },
      data: { from: 'microdata' },
    },
    [],
  ],
  [{ price: { from: 'json-ld', of: 'Product', path: '$.price' } }, ['json-p3']],
  [{ title: { from: 'xpath', path: '//h1' } }, ['xpath']],
  [{ text: { from: 'readability' } }, ['readability', 'linkedom']],
  [{ text: { from: 'markdown', selector: 'p' } }, ['turndown']],
]

test('a library is loaded by the first job that uses it', () => {
  // In a process of its own, since this one has loaded everything.
  const code = `
    import { createRequire } from 'node:module'
    import { checkItem } from './src/extract/check-item.ts'
    import { engineFor } from './src/stage/stage.ts'
    const { cache } = createRequire(import.meta.url)
    const loaded = ${JSON.stringify(jobs.map(([item]) => item))}.map(job => {
      const item = checkItem(job, 'item')
      const engine = engineFor({ name: 'p', match: null, item, follow: [], parser: 'fast' })
      engine.read({ html: '<p itemscope>x</p>json', url: 'http://a.test/', wantLinks: false })
      return Object.keys(cache)
    })
    console.log(JSON.stringify(loaded))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  const loaded: readonly (readonly string[])[] = JSON.parse(output)
  const names = ['json-p3', 'xpath', 'readability', 'linkedom', 'turndown']
  const namesIn = (paths: readonly string[] = []) =>
    names.filter(name => paths.some(path => path.includes(`/${name}/`)))
  for (const [index, [, expected]] of jobs.entries()) {
    const before = namesIn(loaded[index - 1])
    expect(namesIn(loaded[index]).filter(name => !before.includes(name))).toEqual(expected)
  }
})

test.each(['json-ld', 'opengraph', 'script'])('a job that asks for %s streams', from => {
  expect(planOf(ruleOf({ title: 'h1', field: { from } })).engine).toBe('stream')
})
