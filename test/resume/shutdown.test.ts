import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { millrace, oneThread, startMillrace, startSite, temporaryFolder, tenPages } from '../cli/kit.ts'
import { urlsIn } from './kit.ts'

type Child = ReturnType<typeof startMillrace>

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Sends a signal; how long the process then lived, its exit code, and what it said. */
async function endBy(child: Child, signal: NodeJS.Signals, text: () => string) {
  const startMs = performance.now()
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code] = await ended
  return { code, lastedMs: performance.now() - startMs, text: text() }
}

function stderrOf(child: Child): () => string {
  let text = ''
  child.stderr.on('data', chunk => {
    text += String(chunk)
  })
  return () => text
}

/** Closing what is open takes a moment on a busy machine. */
const slackMs = 2_000

/** What is timed here is true of a machine that has a core to spare now and then. */
const timed = { retry: 2, timeout: 60_000 }

describe('a signal', () => {
  test(
    'ends a run within the time of one request and two seconds, though a page never ends, and what it waits for is named',
    timed,
    async () => {
      await using site = await startSite(tenPages)
      await using folder = await temporaryFolder()
      const stuck = await folder.write('stuck', '')
      const hangs = `import { existsSync } from 'node:fs'
export function parse(page) {
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))
  while (page.url.endsWith('/5') && existsSync(${JSON.stringify(stuck)})) Atomics.wait(nobodyWakes, 0, 0, 20)
  return { items: [{ title: page.url }], links: page.url.endsWith('/9') ? [] : [String(Number(page.url.at(-1)) + 1)] }
}\n`
      await folder.write('hangs.mjs', hangs)
      await folder.write(
        'job.yaml',
        `seeds: ["${site.url}/0"]\nmodule: ./hangs.mjs\ntimeouts: { connectMs: 1000, firstByteMs: 1000, idleMs: 1000, totalMs: 2500, parseMs: 60000 }\n`,
      )
      const child = startMillrace(['run', 'job.yaml', '--out', 'out', ...oneThread], folder.path)
      const text = stderrOf(child)
      // The robots file and pages 0 to 5.
      await until(() => site.requests === 7)
      const ended = await endBy(child, 'SIGTERM', text)
      expect(ended.code).toBe(143)
      expect(ended.lastedMs).toBeLessThan(2_500 + 2_000 + slackMs)
      expect(ended.text).toMatch(
        /Nothing has moved for [\d.]+ s: 1 URL under way, 0 URLs waiting\.\n {2}\S+\/5 is being parsed, for [\d.]+ s/,
      )
      await rm(stuck)
      expect(await millrace(['run', 'job.yaml', '--out', 'out', '--quiet', ...oneThread], folder.path)).toMatchObject({
        code: 0,
      })
      expect((await urlsIn(folder.path)).sort()).toEqual(Array.from({ length: 10 }, (_, nth) => `${site.url}/${nth}`))
    },
  )

  test(
    'that comes a second time ends it within a second, and the run goes on later with nothing lost or doubled',
    timed,
    async () => {
      let isSilent = true
      await using site = await startSite((request, response) => {
        if (request.url !== '/6' || !isSilent) tenPages(request, response)
      })
      await using folder = await temporaryFolder()
      await folder.write('job.yaml', `seeds: ["${site.url}/0"]\nitem: { title: title }\nfollow: [a]\n`)
      const child = startMillrace(['run', 'job.yaml', '--out', 'out', ...oneThread], folder.path)
      const text = stderrOf(child)
      await until(() => site.requests === 8)
      child.kill('SIGINT')
      await until(() => text().includes('Stopping'))
      const ended = await endBy(child, 'SIGINT', text)
      expect(ended.code).toBe(130)
      expect(ended.lastedMs).toBeLessThan(1_000)
      isSilent = false
      expect(await millrace(['run', 'job.yaml', '--out', 'out', '--quiet', ...oneThread], folder.path)).toMatchObject({
        code: 0,
      })
      expect((await urlsIn(folder.path)).sort()).toEqual(Array.from({ length: 10 }, (_, nth) => `${site.url}/${nth}`))
    },
  )
})
