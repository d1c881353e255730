import { expect, test } from 'vitest'
import { byteSize } from '../../src/job/byte-size.ts'

test.each([
  [10, 10],
  ['10', 10],
  ['10B', 10],
  ['10kB', 10_000],
  ['10MB', 10_000_000],
  ['10 MB', 10_000_000],
  ['1.5MB', 1_500_000],
  ['512KiB', 524_288],
  ['1GiB', 1_073_741_824],
  ['10mb', 10_000_000],
])('%j is %d bytes', (text, bytes) => {
  expect(byteSize(text)).toBe(bytes)
})

test.each(['', 'MB', '10XB', '-1MB', '1e3', '0', '0MB', 0, -5, 1.5, Number.NaN, '10MBit', '1,5MB'])(
  '%j is no size',
  text => {
    expect(byteSize(text)).toBeNull()
  },
)
