import { expect, test } from 'vitest'
import { youngLimit } from '../../src/core/young-limit.ts'

test('the young generation of a thread is bound', () => {
  expect(youngLimit(12, ['--max-old-space-size=99', '-C', 'x'])).toEqual({ maxYoungGenerationSizeMb: 12 })
})

test.each(['--max-semi-space-size=32', '--min_semi_space_size=2', '--semi-space-growth-factor=4'])(
  'a user who has set %s is left alone',
  option => {
    expect(youngLimit(12, ['-C', 'x', option])).toEqual({})
  },
)
