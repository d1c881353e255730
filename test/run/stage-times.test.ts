import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'
import { temporaryFolder } from '../cli/kit.ts'
import { cert, key } from '../fetch/certificates.ts'
import { startProxyChain } from '../servers/proxies.ts'
import { answerOf, createRawServer } from '../servers/raw.ts'

test('a run tells of its pages what each stage took, and what stood in line for a proxy', async () => {
  await using folder = await temporaryFolder()
  const ca = await folder.write('ca.pem', cert)
  const answer = answerOf('<title>A page</title><p>of some words', ['Content-Type: text/html'])
  await using server = await createRawServer({ answer, tls: { key, cert } })
  await using proxy = await startProxyChain('http', null)
  const { items, stageTimes, stages, bottleneck } = await crawl(
    {
      seeds: Array.from({ length: 12 }, (_, nth) => server.url(`/${nth}`, 'localhost')),
      item: { title: 'title' },
      tls: { ca: [ca] },
      proxies: { list: [`http://127.0.0.1:${proxy.port}`], perProxy: 1 },
      limits: { perHost: { policy: 'fixed', max: 8 }, delayMs: 0, rate: 'none' },
    },
    { out: join(folder.path, 'run'), threads: 1 },
  ).finished()
  expect(items).toBe(12)
  const { wait, fetch, parse, commit } = stageTimes
  expect(wait.proxy.totalMs).toBeGreaterThan(0)
  expect(bottleneck.evidence.waitedFor.proxy).toBeGreaterThan(0)
  // The robots file is fetched like a page, and read by nobody but the gates.
  for (const stage of [fetch.connect, fetch.tls, fetch.firstByte]) expect(stage).toMatchObject({ count: 13 })
  for (const stage of [parse.queue, parse.decode, parse.extract, parse.serialise, commit])
    expect(stage).toMatchObject({ count: 12 })
  for (const { totalMs } of [...Object.values(fetch), ...Object.values(parse), commit])
    expect(totalMs).toBeGreaterThan(0)
  expect(stages.sink).toBeGreaterThan(0)
})
