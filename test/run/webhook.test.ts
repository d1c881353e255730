import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crawl } from '../../src/run/run.ts'
import { startSite } from '../cli/kit.ts'

let out = ''
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'millrace-hook-'))
})
afterEach(() => rm(out, { recursive: true }))

const pages = 60

const startPages = () =>
  startSite((request, response) => {
    const nth = Number(request.url?.slice(1))
    if (!(nth >= 0 && nth < pages)) return response.writeHead(404).end()
    const links = [1, 2, 3].filter(more => nth + more < pages).map(more => `<a href="/${nth + more}">x</a>`)
    response.setHeader('content-type', 'text/html')
    return response.end(`<title>${nth}</title>${links.join('')}`)
  })

/** @param statusOf what it answers to its nth request */
async function startHook(statusOf: (nth: number) => number) {
  const items: { title: string; _id: string }[] = []
  let requests = 0
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      requests += 1
      const status = statusOf(requests)
      if (status < 300) items.push(...JSON.parse(Buffer.concat(pieces).toString()))
      response.writeHead(status).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    items,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const jobOf = (site: string, webhook: object) => ({
  name: 'hooked',
  seeds: [`${site}/0`],
  item: { title: 'title' },
  follow: ['a'],
  output: { webhook: { ...webhook } },
})

test('every item of a run arrives, though the other side fails at first', async () => {
  await using site = await startPages()
  await using hook = await startHook(nth => (nth === 1 ? 503 : 200))
  const report = await crawl(jobOf(site.url, { url: hook.url, batch: 7 }), { out, threads: 0 }).finished()
  expect(report).toMatchObject({ finished: true, items: pages })
  const lines = (await readFile(join(out, 'items.jsonl'), 'utf8')).trimEnd().split('\n')
  expect(hook.items).toEqual(lines.map(line => JSON.parse(line)))
  expect(new Set(hook.items.map(({ _id }) => _id)).size).toBe(pages)
})

test('a run that is stopped does not wait for a webhook that fails, and the next one sends what is left', async () => {
  await using site = await startPages()
  {
    await using hook = await startHook(() => 503)
    const run = crawl(jobOf(site.url, { url: hook.url, batch: 1 }), { out, threads: 0 })
    const ended = run.finished()
    // Twenty items wait, and then nothing moves.
    while (run.progress().items < 20) await new Promise(resolve => setTimeout(resolve, 10))
    run.stop()
    expect((await ended).finished).toBe(false)
  }
  await using hook = await startHook(() => 204)
  const report = await crawl(jobOf(site.url, { url: hook.url, batch: 50 }), { out, threads: 0 }).finished()
  expect(report).toMatchObject({ finished: true, items: pages })
  expect(hook.items.map(({ title }) => Number(title)).sort((one, other) => one - other)).toEqual(
    Array.from({ length: pages }, (_, nth) => nth),
  )
})

test('a webhook that refuses ends the run with its reason, and loses nothing', async () => {
  await using site = await startPages()
  await using hook = await startHook(() => 401)
  const run = crawl(jobOf(site.url, { url: hook.url }), { out, threads: 0 })
  await expect(run.finished()).rejects.toMatchObject({ code: 'SINK_FAILED', message: expect.stringContaining('401') })
  await run.close()
})
