import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { wholePageFields } from '../../../src/extract/whole-page-fields.ts'
import { readWith } from './read.ts'

const text = readFileSync(new URL('../../../docs/structured-data.md', import.meta.url), 'utf8')
const html = /```html\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
const examples = [...text.matchAll(/```yaml\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, item = '', result = '']) => [item, result],
)

test('every kind of field has an example, and is listed with its keys', () => {
  const fields = examples.map(([item]) => item).join('')
  for (const [name, { keys }] of Object.entries(wholePageFields)) {
    expect(fields).toContain(`from: ${name},`)
    expect(text).toMatch(new RegExp(`\\| \`${name}\` \\| .* \\| ${keys.map(key => `\`${key}\``).join(', ')} \\|`))
  }
})

test.each(examples)('an example of the documentation gives what it says: %s', (item = '', result = '') => {
  for (const engine of ['stream', 'tree'] as const)
    expect(readWith(engine, parse(item), html).item).toEqual(JSON.parse(result))
})
