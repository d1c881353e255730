import { expect, test } from 'vitest'
import { startSite, temporaryFolder } from '../cli/kit.ts'
import { fillAgainAndAgain, smallDisk, urlsIn } from './kit.ts'

const pages = 400

test('a disk that is full at any moment ends the run with a reason, without half a line, and with room it goes on to the exact set', async () => {
  await using disk = await smallDisk(4 * 2 ** 20)
  if (disk === null) return console.log('skipped: no disk can be mounted here')
  await using site = await startSite((request, response) => {
    const nth = Number(request.url?.slice(1))
    if (!(nth < pages)) return response.writeHead(404).end()
    const links = [2 * nth + 1, 2 * nth + 2].filter(child => child < pages).map(child => `<a href="/${child}">x</a>`)
    response.setHeader('content-type', 'text/html')
    setTimeout(() => response.end(`<title>${nth}</title><p>${'word '.repeat(80)}</p>${links.join('')}`), 20)
    return undefined
  })
  await using folder = await temporaryFolder()
  await folder.write(
    'job.yaml',
    `name: tree\nseeds: ["${site.url}/0"]\nitem: { title: title, text: p }\nfollow: [a]\nlimits: { perHost: { policy: fixed, max: 8 } }\n`,
  )
  const ends = await fillAgainAndAgain({ disk, folder: folder.path, times: 2, seed: 4, longestMs: 1200 })
  expect(ends.map(({ isWhole }) => isWhole)).not.toContain(false)
  const failed = ends.filter(({ code }) => code !== 0)
  expect(failed.length).toBeGreaterThan(0)
  for (const { code, stderr } of failed) {
    expect(code).toBe(1)
    expect(stderr).toMatch(/^(SINK|STORE)_FAILED .*\nThe disk is full: make room/)
  }
  expect(ends.at(-1)?.code).toBe(0)
  const urls = await urlsIn(disk.path)
  expect(urls.length).toBe(pages)
  expect(new Set(urls).size).toBe(pages)
}, 60_000)
