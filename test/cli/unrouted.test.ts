import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Folder, millrace, oneThread, type Site, startSite, temporaryFolder } from './kit.ts'

let folder: Folder
let site: Site
beforeAll(async () => {
  folder = await temporaryFolder()
  site = await startSite((request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(request.url === '/list' ? '<a href=/p/1>1</a><a href=/old>2</a><a href=/older>3</a>' : '<h1>One</h1>'),
  )
  const pages = '[{ name: list, match: /list, follow: a }, { name: product, match: "/p/*", item: { title: h1 } }]'
  await folder.write('shop.yaml', `name: shop\nseeds: ["${site.url}/list"]\npages: ${pages}\n`)
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

describe('links that fit no page rule are told', () => {
  test('of a run: in its summary and its report', async () => {
    const ended = await millrace(['run', 'shop.yaml', '--out', 'out', ...oneThread], folder.path)
    expect(ended.stderr).toContain(`Not fetched: 2 followed links fit no page rule, such as ${site.url}/old.\n`)
    const report = JSON.parse(await readFile(join(folder.path, 'out', 'report.json'), 'utf8'))
    expect(report).toMatchObject({ ledger: { done: 2 }, unrouted: { count: 2, example: `${site.url}/old` } })
    expect(await readFile(join(folder.path, 'out', 'report.html'), 'utf8')).toContain('fit no page rule')
  })

  test('of `try`: for its page, and for a URL that fits none itself', async () => {
    const list = await millrace(['try', `${site.url}/list`, '--job', 'shop.yaml'], folder.path)
    expect(list.stderr).toContain(`1 link to follow:\n  product  ${site.url}/p/1\n`)
    expect(list.stderr).toContain(`Not fetched: 2 followed links fit no page rule, such as ${site.url}/old.\n`)
    expect(list.stderr).not.toContain('No page rule fits')
    const { stdout } = await millrace(['try', `${site.url}/list`, '--job', 'shop.yaml', '--json'], folder.path)
    expect(JSON.parse(stdout)).toMatchObject({ unrouted: { count: 2 } })
    const old = await millrace(['try', `${site.url}/old`, '--job', 'shop.yaml'], folder.path)
    expect(old.stderr).toContain(`No page rule fits ${site.url}/old: `)
  })
})
