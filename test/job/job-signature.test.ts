import { expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import type { JobInput } from '../../src/job/define-job.ts'
import { changedKeys, signatureOf, whatChanges, whyNotGoOn } from '../../src/job/job-signature.ts'

const base: JobInput = {
  seeds: ['http://a.test/'],
  pages: [
    { name: 'list', match: '/list', follow: ['a'] },
    { name: 'product', match: '/p/*', item: { title: 'h1' } },
  ],
}
const changed = (more: Partial<JobInput>): readonly string[] => {
  const of = (job: JobInput) => signatureOf(checkJob(job, { path: 'job', baseDir: '.' }))
  return changedKeys(of(base), of({ ...base, ...more } as JobInput))
}

test('a job that is the same has not changed', () => {
  expect(changed({})).toEqual([])
  const named = { name: 'shop', ...base }
  const [here, there] = ['job.yaml', 'moved/job.yaml'].map(path => signatureOf(checkJob(named, { path, baseDir: '.' })))
  expect(there).toEqual(here)
})

test('a change is named by its path: a setting, a page rule, a host', () => {
  expect(changed({ timeouts: { parseMs: 9_000 } })).toEqual(['timeouts.parseMs'])
  expect(changed({ hosts: { 'b.test': { max: 1 } } })).toEqual(['hosts.b.test'])
  expect(
    changed({
      pages: [
        { name: 'list', match: '/list', follow: ['a'] },
        { name: 'product', match: '/p/*', item: { title: 'h2' } },
      ],
    }),
  ).toEqual(['pages.product'])
})

test('a limit that hosts of this machine get too is named once, as the job has it', () => {
  expect(changed({ limits: { perHost: { policy: 'fixed', max: 4 } } })).toEqual(['limits.perHost'])
  expect(changed({ limits: { delayMs: 0 } })).toEqual(['limits.delayMs'])
})

test('a signature shows nothing of what it is made from', () => {
  const text = JSON.stringify(
    signatureOf(checkJob({ ...base, headers: { cookie: 'secret' } }, { path: 'job', baseDir: '.' })),
  )
  expect(text).not.toContain('secret')
})

test('items that would not be alike end the run, with what to do', () => {
  expect(whyNotGoOn(['pages.product', 'limits.inFlight'])).toEqual([
    '`pages.product`: items that are written from now on would not be like those that are there',
  ])
  expect(whyNotGoOn(['output.format'])).toEqual(['`output.format`: its files were begun otherwise'])
  expect(whyNotGoOn(['seeds', 'scope.exclude'])).toEqual([])
})

test('what a change means is said for each kind of it, those that mean the same together', () => {
  expect(whatChanges(['seeds', 'limits.inFlight', 'scope.exclude', 'timeouts.totalMs'])).toEqual([
    expect.stringMatching(/^`seeds`: seeds that are new to the run are added/),
    '`limits.inFlight`, `timeouts.totalMs`: it holds for every request from now on, and what is done stays as it is',
    expect.stringMatching(/^`scope\.exclude`: links are judged by it from now on/),
  ])
})
