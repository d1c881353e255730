import { expect, test } from 'vitest'
import { duration } from '../../src/cli/terminal.ts'
import { durationText } from '../../src/report/figure-text.ts'

test('nearly ten minutes are ten minutes, and not nine and sixty seconds', () => {
  expect(duration(599_900)).toBe('10 min 0 s')
  expect(durationText(599_900)).toBe('10 min 0 s')
  expect(duration(599_400)).toBe('9 min 59 s')
})
