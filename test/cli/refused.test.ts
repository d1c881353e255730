import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Folder, millrace, oneThread, type Site, startSite, temporaryFolder } from './kit.ts'

let folder: Folder
let site: Site
beforeAll(async () => {
  folder = await temporaryFolder()
  site = await startSite((_, response) => response.setHeader('content-type', 'text/html').end('<h1>A</h1>'))
  await folder.write('no-json.mts', 'export const parse = () => [{ a: 1n }, { a: 1 }]\n')
  await folder.write('shop.yaml', `seeds: ["${site.url}/"]\nmodule: no-json.mts\n`)
  await folder.write('nothing.yaml', `seeds: ["${site.url}/"]\nitems: { selector: li, item: { name: h3 } }\n`)
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

test('a run in which items were not kept although their pages were says so at its end, and not only in dead.jsonl', async () => {
  const ended = await millrace(['run', 'shop.yaml', '--out', 'out', '--json', ...oneThread], folder.path)
  expect(ended.stderr).toContain('Not kept: 1 item of pages that were read; dead.jsonl says why.')
  expect(JSON.parse(ended.stdout)).toMatchObject({ items: 1, pageRules: [{ page: 'page', items: 1, refused: 1 }] })
})

test('try says why an item of a module is not kept, where it had said that the page is read for its links', async () => {
  const { code, stdout, stderr } = await millrace(['try', `${site.url}/`, '--job', 'shop.yaml'], folder.path)
  expect({ code, item: JSON.parse(stdout) }).toMatchObject({ code: 0, item: { a: 1 } })
  expect(stderr).toMatch(/^Not kept: PARSE_FAILED .* item 1, field a: a bigint is no JSON$/m)
})

test('try says that nothing fits the selector of `items`, where it had said that the page is read for its links', async () => {
  const { code, stderr } = await millrace(['try', `${site.url}/`, '--job', 'nothing.yaml'], folder.path)
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No item: nothing on the page fits'),
  })
})
