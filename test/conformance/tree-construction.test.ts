import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { parseTree } from '../../src/extract/dom/tree.ts'
import { linesOfParse5, linesOfTree } from '../extract/tree-lines.ts'

const folder = resolve(import.meta.dirname, '../../../shared/data/html5lib/tree-construction')
const isThere = existsSync(folder)
if (!isThere) console.log(`tree construction skipped: ${folder} is not there`)

/** What is parsed in each case. Those for fragments are read as whole pages, which they are as good as any other for. */
const pagesOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split(/^#data\n/m)
    .slice(1)
    .map(one => one.slice(0, one.indexOf('\n#errors')))

const files = isThere
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.dat'))
      .sort()
  : []

describe.skipIf(!isThere)('html5lib tree construction', () => {
  test.each(files)('%s: the browser parser builds the tree of parse5', name => {
    for (const html of pagesOf(join(folder, name))) {
      const theirs = linesOfParse5(parse(html, { scriptingEnabled: false }))
      expect(linesOfTree(parseTree(html, 'browser').root), html).toEqual(theirs)
    }
  })

  test('there are more than 1,500 cases', () => {
    const count = files.flatMap(name => pagesOf(join(folder, name))).length
    console.log(`tree construction: ${count} cases`)
    expect(count).toBeGreaterThan(1_500)
  })
})
