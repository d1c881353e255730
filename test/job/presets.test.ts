import { describe, expect, test } from 'vitest'
import { defaultTimeouts } from '../../src/job/defaults.ts'
import { presets } from '../../src/job/presets.ts'
import { meanSpacingMs } from '../../src/pace/mean-spacing.ts'

describe.each(Object.entries(presets))('the preset %s', (name, preset) => {
  test('keeps the pace of its delay up to answers as slow as its file says', () => {
    const slowestMs = preset.perHost.max * meanSpacingMs(preset)
    expect(slowestMs).toBe(name === 'polite' ? 17_500 : 50_000)
    expect(slowestMs).toBeLessThan(defaultTimeouts.totalMs)
  })

  test('begins with two in flight, below its bound', () => {
    expect(preset.perHost).toMatchObject({ policy: 'aimd', start: 2 })
    expect(preset.perHost.max).toBeLessThanOrEqual(preset.inFlight)
  })
})
