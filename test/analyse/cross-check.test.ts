import { expect, test } from 'vitest'
import { discrepanciesOf, isConsistent, isWithinBounds } from '../../src/analyse/cross-check.ts'
import { averagesOf, type RunProfile } from '../../src/analyse/run-profile.ts'
import { calm, calmBut } from './profile.ts'

const stagesOf = (run: RunProfile) => discrepanciesOf(run).map(({ stage }) => stage)
const countedBut = (changes: Partial<RunProfile['counted']>, over: Partial<RunProfile> = {}): RunProfile => ({
  ...calm,
  ...over,
  counted: { ...calm.counted, ...changes },
})

test("pages in a stage are those of Little's law, and more than a stage can hold is told", () => {
  expect(averagesOf(calm)).toMatchObject({ meanInFlight: 10, parsing: 0.5, committing: 10, queued: 0.05 })
  expect(isConsistent(calm)).toBe(true)
  for (const wrong of [{ requestMs: 1e6 }, { parseBusyMs: 30_000 }, { pageSlots: 10 }]) {
    expect(isWithinBounds(calmBut(wrong))).toBe(false)
    expect(isConsistent(calmBut(wrong))).toBe(false)
  }
})

test('each stage that was counted as another one than its times say is told, with both figures', () => {
  expect(discrepanciesOf(countedBut({ inFlight: 12 }))).toMatchObject([
    { stage: 'inFlight', reckoned: 10, counted: 12 },
  ])
  expect(stagesOf(countedBut({ inFlight: 8, parseQueue: 3, parsing: 1.9 }))).toEqual([
    'inFlight',
    'parseQueue',
    'parsing',
  ])
  expect(isConsistent(countedBut({ inFlight: 12 }))).toBe(false)
})

test('what is within what a prediction may err by, or too little to matter, is the same', () => {
  expect(stagesOf(countedBut({ inFlight: 11.5 }))).toEqual([])
  expect(stagesOf(countedBut({ inFlight: 9 }))).toEqual([])
  expect(stagesOf(countedBut({ parseQueue: 0.14 }))).toEqual([])
})

test('a reply that waits for a late main thread is no wrong time of its page', () => {
  expect(stagesOf(countedBut({ parsing: 1.5 }))).toEqual(['parsing'])
  expect(stagesOf(countedBut({ parsing: 1.5 }, { loopDelayMs: 10 }))).toEqual([])
})

test('a main thread that parses has one clock, and is not compared with itself', () => {
  expect(stagesOf(countedBut({ parseQueue: 3, parsing: 1.9 }, { threads: 0 }))).toEqual([])
  expect(stagesOf(countedBut({ inFlight: 12 }, { threads: 0 }))).toEqual(['inFlight'])
})
