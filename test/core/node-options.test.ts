import { afterEach, expect, test } from 'vitest'
import { environmentWith, inheritedOptions } from '../../src/core/node-options.ts'

const former = process.env.NODE_OPTIONS
afterEach(() => {
  if (former === undefined) delete process.env.NODE_OPTIONS
  else process.env.NODE_OPTIONS = former
})

test.each([
  ['', []],
  ['  --a  --b=1 ', ['--a', '--b=1']],
  ['--require "./a b.js" -C c', ['--require', './a b.js', '-C', 'c']],
  ['--require="./a \\"b\\\\c.js"', ['--require=./a "b\\c.js']],
])(
  'options of Node in the environment are read as Node reads them, and written so that it reads the same: %s',
  (text, options) => {
    process.env.NODE_OPTIONS = text
    expect(inheritedOptions()).toEqual(options)
    process.env.NODE_OPTIONS = environmentWith(options).NODE_OPTIONS
    expect(inheritedOptions()).toEqual(options)
  },
)
