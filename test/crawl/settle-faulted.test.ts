import { expect, test } from 'vitest'
import { crawl, defineJob } from '../../src/index.ts'
import { startSite } from '../cli/kit.ts'

test.each([0, 1])(
  'links of a page that lacks a required field are followed all the same (%i threads)',
  async threads => {
    const links = Array.from({ length: 300 }, (_, index) => `<a href=/p/${index}>x</a>`).join('')
    await using site = await startSite((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(request.url === '/' ? links : `<h1>${request.url}</h1>`)
    })
    const job = defineJob({
      seeds: [`${site.url}/`],
      robots: { ignoreFor: ['127.0.0.1'] },
      item: { title: { selector: 'h1', required: true } },
      follow: ['a'],
    })
    await using run = crawl(job, { threads })
    const titles: string[] = []
    const dead: string[] = []
    for await (const result of run)
      if (result.kind === 'page') titles.push(...result.items.map(({ title }) => title))
      else if (result.kind === 'dead') dead.push(`${result.code} ${result.url}`)
    expect(dead).toEqual([`FIELD_MISSING ${site.url}/`])
    expect(new Set(titles).size).toBe(300)
  },
)
