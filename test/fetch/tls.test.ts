import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { realEnv } from '../../src/core/clock.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { createJobFetcher } from '../../src/run/job-fetcher.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'
import { cert, key } from './certificates.ts'
import { fetcherWith, get, never, taskFor, wordsOf } from './kit.ts'

const minimal = { seeds: ['https://a.test/'], item: { title: 'h1' } }

describe('certificates of a job', () => {
  test('are read from its folder and trusted beside the usual ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-tls-'))
    await writeFile(join(folder, 'company.pem'), cert)
    await using server = await createRawServer({ answer: answerOf('safe'), tls: { key, cert } })
    const job = checkJob({ ...minimal, tls: { ca: 'company.pem' } }, { path: 'job.yaml', baseDir: folder })
    await using fetcher = await createJobFetcher(job, realEnv)
    const task = taskFor(server.url('/', 'localhost'))
    expect(wordsOf(await fetcher.fetch({ task, route: null, grow: () => {} }, never))).toBe('page 200 "safe"')
    await rm(folder, { recursive: true })
  })

  for (const [name, content, told] of [
    ['is missing', null, 'cannot be read'],
    ['holds none', 'no certificate', 'is no certificate'],
  ] as const)
    test(`in a file that ${name} are told of before anything is fetched`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'millrace-tls-'))
      if (content !== null) await writeFile(join(folder, 'company.pem'), content)
      const job = checkJob({ ...minimal, tls: { ca: ['company.pem'] } }, { path: 'job.yaml', baseDir: folder })
      await expect(createJobFetcher(job, realEnv)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(told),
      })
      await rm(folder, { recursive: true })
    })
})

test('a further connection to a host goes on with the TLS session of the one before', async () => {
  const reused: boolean[] = []
  await using server = await createRawServer({
    answer: answerOf('safe', ['Connection: close']),
    close: true,
    tls: { key, cert },
    accept: socket => void reused.push((socket as TLSSocket).isSessionReused()),
  })
  await using fetcher = fetcherWith({ tls: { ca: cert } })
  for (let round = 0; round < 3; round += 1) {
    expect(wordsOf(await get(fetcher, server.url('/', 'localhost')))).toBe('page 200 "safe"')
    await server.idle()
  }
  expect(reused).toEqual([false, true, true])
})
