import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deadNameOf } from '../../src/sink/quarantine.ts'

const strange = [
  '../x',
  '..%2fx',
  '/etc/passwd',
  'C:',
  'C:\\x',
  'CON',
  'nul',
  'a\u0000b',
  'x'.repeat(300),
  'A',
  'a',
  '.',
  '..',
  '',
  'ä/ö',
  '\u202e',
]

/** A name that any file system takes, and that no other name is the same as where case is of no matter. */
const isPlain = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,120}$/.test(name) && !name.includes('/')

test('pages that are set aside have names that lead nowhere else, and none the name of another', () => {
  const names = strange.flatMap(id => ['shop.test', 'A.test', '../../x', 'con'].map(host => [id, deadNameOf(id, host)]))
  for (const [, name = ''] of names) expect(isPlain(name), name).toBe(true)
  for (const host of ['shop.test', '../../x']) {
    const ofHost = strange.map(id => deadNameOf(id, host).toLowerCase())
    expect(new Set(ofHost).size).toBe(strange.length)
  }
})

test('any id and any host give a plain name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, host) =>
      isPlain(deadNameOf(id, host)),
    ),
  )
})
