import { describe, expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import { jobSchema } from '../../src/job/json-schema.ts'
import { millrace, startSite, temporaryFolder } from '../cli/kit.ts'

const minimal = { seeds: ['https://a.test/'], item: { title: 'h1' } }
const context = { path: 'job.yaml', baseDir: '/jobs' }

describe('the cache of a job', () => {
  test('is none unless asked for, and revalidates where only a folder is named', () => {
    expect(checkJob(minimal, context).cache).toBeNull()
    expect(checkJob({ ...minimal, cache: '.cache' }, context).cache).toEqual({
      dir: '/jobs/.cache',
      mode: 'revalidate',
      maxAgeHours: null,
      maxBytes: 1e9,
    })
  })

  const refused: readonly (readonly [unknown, string])[] = [
    [{ mode: 'reuse' }, 'cache.dir'],
    [{ dir: 'c', mode: 'dummy' }, '`revalidate`, `reuse`'],
    [{ dir: 'c', maxAgeHours: 3 }, 'belongs to `mode: reuse`'],
    [{ dir: 'c', mode: 'reuse', maxAgeHours: 0 }, 'above 0'],
    [{ dir: 'c', maxBytes: '1kB' }, 'cache.maxBytes'],
    [{ dir: 'c', maxBites: 1 }, 'did you mean `maxBytes`?'],
    [true, 'a folder, or {'],
  ]
  for (const [cache, told] of refused)
    test(`${JSON.stringify(cache)} is refused, and told why`, () => {
      expect(() => checkJob({ ...minimal, cache }, context)).toThrow(told)
    })

  test('is in the schema for editors', () => {
    expect(JSON.stringify(jobSchema())).toContain('maxAgeHours')
  })
})

test('on the command line a folder makes a second run, and a second look, ask nobody', async () => {
  await using site = await startSite((request, response) => {
    response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' })
    response.end(`<h1>${request.url}</h1>`)
  })
  await using folder = await temporaryFolder()
  await folder.write('job.yaml', `seeds: [${site.url}/a, ${site.url}/b]\nitem: { title: h1 }\n`)
  const run = (out: string) =>
    millrace(['run', 'job.yaml', '--cache', 'kept', '--out', out, '--threads', '1'], folder.path)
  const first = await run('one')
  expect(first.stderr).toContain('Cache: 0 answers used without asking, 0 confirmed by their hosts, 2 stored.')
  const asked = site.requests
  const second = await run('two')
  expect(second.stderr).toContain('Cache: 2 answers used without asking')
  const looked = await millrace(['try', `${site.url}/a`, '--job', 'job.yaml', '--cache', 'kept'], folder.path)
  expect(looked.stdout).toContain('"title": "/a"')
  expect(site.requests).toBe(asked)
})
