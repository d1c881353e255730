import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLedger } from '../../src/core/ledger.ts'

test('every discovered URL is done, failed, skipped or pending, after any sequence of endings', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('discover' as const), urls: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom('done' as const, 'failed' as const, 'skip' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step), steps => {
      const ledger = createLedger()
      for (const one of steps) {
        if (one.kind === 'discover') ledger.discover(one.urls)
        else if (ledger.counts.pending === 0) continue
        else if (one.kind === 'skip') ledger.skip('robots')
        else ledger.end(one.kind)
        const { discovered, done, failed, skipped, pending } = ledger.counts
        expect(discovered).toBe(done + failed + skipped + pending)
        expect(ledger.skips.robots).toBe(skipped)
      }
    }),
  )
})

test('a URL that is not pending cannot end', () => {
  const ledger = createLedger()
  ledger.discover(1)
  ledger.end('done')
  expect(() => ledger.end('failed')).toThrow(/not pending/)
})
