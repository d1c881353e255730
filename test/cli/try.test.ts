import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Folder, millrace, oneThread, type Site, startSite, temporaryFolder } from './kit.ts'

/** To a browser, what stands in a table beside its cells stands before the table. */
const html = '<title>A</title><table id=t><tr><td>1</td></tr><p class=price>2</p></table>'
const job = (seed: string): string =>
  `name: shop\nseeds: ["${seed}"]\nitem: { title: title, rows: "#t", last: "td:last-child" }\n`

let folder: Folder
let site: Site
beforeAll(async () => {
  folder = await temporaryFolder()
  site = await startSite((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await folder.write('shop.yaml', job(`${site.url}/1`))
  await folder.write('page.html', html)
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

describe('try', () => {
  test('shows the values of both parsers where they differ', async () => {
    const ended = await millrace(['try', 'page.html', '--job', 'shop.yaml'], folder.path)
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain('item.rows differs by parser:\n  fast     "12"\n  browser  "1"\n')
    expect(ended.stderr).not.toContain('item.title differs')
  })

  test('--explain tells which fields stream, and why others need the tree', async () => {
    const { stderr, code } = await millrace(['try', 'page.html', '--job', 'shop.yaml', '--explain'], folder.path)
    expect(code).toBe(0)
    expect(stderr).toContain('the tree engine reads it, for item.last; the others are read from the same tree')
    expect(stderr).toMatch(/^ {2}item\.title +title +tags$/m)
    expect(stderr).toMatch(/^ {2}item\.last +td:last-child +the tree +:last-child depends on what follows/m)
  })

  test('fields know of the answer, and of what stands beside the seed', async () => {
    const item = '{ status: { context: status }, type: { context: "header:Content-Type" }, sku: { context: meta.sku } }'
    await folder.write(
      'context.yaml',
      `name: shop\nseeds: [{ url: "${site.url}/1", meta: { sku: 7 } }]\npages: [{ name: page, item: ${item} }]\n`,
    )
    const itemOf = async (...args: string[]): Promise<unknown> => {
      const { stdout } = await millrace(['try', ...args, '--job', 'context.yaml', '--json'], folder.path)
      return JSON.parse(stdout).items[0]
    }
    expect(await itemOf(`${site.url}/1`)).toMatchObject({ status: 200, type: 'text/html', sku: 7 })
    expect(await itemOf(`${site.url}/2`)).toMatchObject({ status: 200, sku: null })
    expect(await itemOf('page.html', '--meta', '{"sku":"x"}')).toMatchObject({ status: null, type: null, sku: 'x' })
    const wrong = await millrace(['try', 'page.html', '--job', 'context.yaml', '--meta', '[1]'], folder.path)
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--meta: [1] is not accepted') })
  })

  test('a pattern for which no time would be enough ends with PARSE_TIMEOUT, as it would in a run', async () => {
    await folder.write('slow.html', `<title>${'a'.repeat(40)}!</title>`)
    await folder.write(
      'slow.yaml',
      `name: slow\nseeds: ["${site.url}/1"]\ntimeouts: { parseMs: 300 }\n` +
        `item: { found: { selector: title, pattern: '(?=a)(a+)+$' } }\n`,
    )
    const { code, stderr } = await millrace(['try', 'slow.html', '--job', 'slow.yaml'], folder.path)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/PARSE_TIMEOUT.*slow\.html .*300 ms/) })
  })

  test('--json gives all of it as data', async () => {
    const args = ['try', `${site.url}/1`, '--job', 'shop.yaml', '--explain', '--json']
    const { stdout, code } = await millrace(args, folder.path)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      finalUrl: `${site.url}/1`,
      status: 200,
      parser: 'fast',
      engine: 'tree',
      items: [{ title: 'A', rows: '12', last: '1' }],
      differences: [{ path: 'item.rows', fast: '"12"', browser: '"1"' }],
      plan: {
        engine: 'tree',
        fields: [
          { path: 'item.title', selector: 'title', engine: 'stream', reason: null },
          { path: 'item.rows', selector: '#t', engine: 'stream', reason: null },
          { path: 'item.last', selector: 'td:last-child', engine: 'tree', reason: expect.stringContaining('follows') },
        ],
      },
    })
  })
})

describe('an audit', () => {
  test('of a run is told at its end and kept in its report', async () => {
    const ended = await millrace(['run', 'shop.yaml', '--out', 'audited', '--audit', '1', ...oneThread], folder.path)
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('Audit: 1 page read by both parsers, 1 field differs')
    const { audit } = JSON.parse(await readFile(join(folder.path, 'audited', 'report.json'), 'utf8'))
    expect(audit).toMatchObject({
      pages: 1,
      skipped: 0,
      fields: [{ path: 'item.rows', differing: 1, exampleUrl: `${site.url}/1`, fast: '"12"', browser: '"1"' }],
    })
    expect(audit.cpuMs).toBeGreaterThan(0)
  })

  test('of files is told beside their items', async () => {
    const ended = await millrace(['parse', 'shop.yaml', 'page.html', '--audit', '1', ...oneThread], folder.path)
    expect(ended.stderr).toContain('item.rows')
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: '12' })
  })

  test('of more than all pages is no job', async () => {
    const ended = await millrace(['run', 'shop.yaml', '--out', 'none', '--audit', '2'], folder.path)
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain('a part of the pages from 0 to 1')
  })
})
