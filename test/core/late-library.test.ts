import { expect, test } from 'vitest'
import { lateLibrary } from '../../src/core/late-library.ts'

test('a library is loaded once, when it is first asked for', () => {
  const library = lateLibrary<typeof import('tldts')>('tldts')
  expect(library().getDomain('www.books.test')).toBe('books.test')
  expect(library()).toBe(library())
})

test('naming one that is not there costs nothing before it is asked for', () => {
  const library = lateLibrary('no-such-package')
  expect(library).toThrow('no-such-package')
})
