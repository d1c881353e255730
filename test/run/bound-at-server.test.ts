import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crawl, type JobInput } from '../../src/index.ts'
import { startSite, temporaryFolder } from '../cli/kit.ts'
import { temporaryModules } from '../module/kit.ts'

const bound = 3
const pages = 60
/** What becomes of a page, by its number; the others are read. */
const deeds = ['is reset', 'is silent', 'throws', 'loops', 'dies'] as const
const deedOf = (nth: number): string => deeds[nth % 10] ?? 'is read'

const source = `
  const deeds = {
    throws: () => { throw new Error('on purpose') },
    loops: () => { for (;;); },
    dies: () => process.reallyExit(3),
  }
  export const parse = page => {
    deeds[page.text]?.()
    return { text: page.text }
  }`

/** A site that counts what it has under way. */
async function startCountingSite() {
  let [inFlight, peak] = [0, 0]
  const site = await startSite((request, response) => {
    inFlight += 1
    peak = Math.max(peak, inFlight)
    response.once('close', () => {
      inFlight -= 1
    })
    const deed = deedOf(Number(request.url?.slice(1)))
    setTimeout(() => {
      if (deed === 'is reset') request.socket.destroy()
      else if (deed !== 'is silent') response.writeHead(200, { 'content-type': 'text/plain' }).end(deed)
    }, 10)
  })
  return { site, peak: () => peak }
}

test('a server never has more under way than its bound, whatever throws, times out, is killed, stopped or gone on with (L22)', async () => {
  const { site, peak } = await startCountingSite()
  await using held = site
  await using folder = await temporaryFolder()
  using modules = temporaryModules()
  const job: JobInput = {
    seeds: Array.from({ length: pages }, (_, nth) => `${held.url}/${nth}`),
    pages: [{ name: 'page', module: modules.write(source) }],
    robots: { ignoreFor: ['127.0.0.1'] },
    limits: { perHost: { policy: 'fixed', max: bound } },
    timeouts: { firstByteMs: 200, parseMs: 150 },
    retries: { url: 1 },
  }
  const options = { out: join(folder.path, 'out'), threads: 2 }
  const stopping = new AbortController()
  const stopped = crawl(job, { ...options, signal: stopping.signal })
  const first = stopped.finished()
  while (held.requests < pages / 3) await new Promise(resolve => setTimeout(resolve, 5))
  stopping.abort()
  await first
  const { ledger } = await crawl(job, options).finished()
  expect(peak()).toBe(bound)
  expect(ledger).toMatchObject({ discovered: pages, pending: 0 })
  const lines = (await readFile(join(folder.path, 'out', 'items.jsonl'), 'utf8')).trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line).text)).toEqual(Array.from({ length: ledger.done }, () => 'is read'))
  expect(ledger.done).toBe(pages / 2)
})
