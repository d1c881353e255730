import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openParseMarks } from '../../src/parse/parse-marks.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-marks-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newPath = (): string => join(folder, `parsing-${files++}`)
const page = (name: string) => ({ page: 'page', askedUrl: `http://a.test/${name}` })

test('a page that is being parsed when the process dies is a suspect, and to blame the second time', () => {
  const path = newPath()
  const first = openParseMarks(path, 2)
  first.enter(0, [page('bad')])
  first.enter(1, [page('done')])
  first.acquit(1, 0)
  first.rest(1)
  // The process dies: nothing is closed.
  const second = openParseMarks(path, 2)
  expect(['bad', 'done', 'other'].map(name => second.deathsOf(page(name)))).toEqual([1, 0, 0])
  second.enter(1, [page('bad')])
  const third = openParseMarks(path, 3)
  expect(third.deathsOf(page('bad'))).toBe(2)
})

test('a suspect that got a reply is none any more, and one that was only stopped still is', () => {
  const path = newPath()
  const first = openParseMarks(path, 2)
  first.enter(0, [page('innocent')])
  first.enter(1, [page('stopped')])
  const second = openParseMarks(path, 2)
  second.enter(0, [page('innocent')])
  second.acquit(0, 0)
  second.enter(0, [page('stopped')])
  second.rest(0)
  expect(second.deathsOf(page('innocent'))).toBe(0)
  const third = openParseMarks(path, 2)
  expect(['innocent', 'stopped'].map(name => third.deathsOf(page(name)))).toEqual([0, 1])
})

test('the file goes with a run that leaves no suspect', () => {
  const path = newPath()
  const marks = openParseMarks(path, 1)
  marks.enter(0, [page('well')])
  marks.acquit(0, 0)
  marks.rest(0)
  expect(readFileSync(path, 'latin1').trim()).toBe('16')
  marks[Symbol.dispose]()
  expect(existsSync(path)).toBe(false)
})

test('a task takes the place of the one before it on its lane, however many pages that had', () => {
  const path = newPath()
  const marks = openParseMarks(path, 2)
  marks.enter(1, [page('neighbour')])
  marks.enter(0, ['a', 'b', 'c'].map(page))
  marks.enter(0, [page('d')])
  const after = openParseMarks(path, 2)
  expect(['a', 'b', 'c', 'd', 'neighbour'].map(name => after.deathsOf(page(name)))).toEqual([0, 0, 0, 1, 1])
})

test('a process that ends well leaves only the suspects of those before it', () => {
  const path = newPath()
  openParseMarks(path, 1).enter(0, [page('bad')])
  const second = openParseMarks(path, 1)
  second.enter(0, [page('well')])
  second[Symbol.dispose]()
  const third = openParseMarks(path, 1)
  expect(['bad', 'well'].map(name => third.deathsOf(page(name)))).toEqual([1, 0])
})

test('a folder that cannot be written is told', () => {
  expect(() => openParseMarks(join(folder, 'none', 'parsing'), 1)).toThrowError(
    expect.objectContaining({ code: 'SINK_FAILED', message: expect.stringContaining('could not be written') }),
  )
})
