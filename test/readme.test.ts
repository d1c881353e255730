import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorTraits } from '../src/core/errors.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the README lists every error code with its meaning, its blame and what asking again brings', () => {
  for (const [code, { meaning, blame, retry }] of Object.entries(errorTraits))
    expect(readme).toContain(`| \`${code}\` | ${meaning} | ${blame} | ${retry} |`)
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
  expect(listed).toEqual(Object.keys(errorTraits))
})

test('the README names only scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [, name = ''] of readme.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(name)
})
