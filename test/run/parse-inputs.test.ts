import { expect, test } from 'vitest'
import type { ParseReply } from '../../src/core/wire.ts'
import { checkJob } from '../../src/job/check-job.ts'
import type { Input } from '../../src/run/input.ts'
import { parseInputs } from '../../src/run/parse-inputs.ts'

const list = { name: 'list', match: 'http://a.test/list', item: { title: 'title' } }
const detail = { name: 'detail', match: 'http://a.test/p/:id', item: { title: 'title' } }

async function* pages(...given: readonly Partial<Input>[]): AsyncGenerator<Input> {
  for (const input of given) {
    const { finalUrl = 'http://a.test/list' } = input
    const body = new TextEncoder().encode('<title>read</title>')
    yield { url: finalUrl, finalUrl, page: null, body, contentType: 'text/html', contentCoding: '', depth: 0, ...input }
  }
}

const textOf = (reply: ParseReply): string =>
  reply.kind === 'parsed' ? JSON.parse(new TextDecoder().decode(reply.output))._page : reply.fault.message

const read = async (rules: readonly object[], chosen: string | null, ...given: readonly Partial<Input>[]) => {
  const job = checkJob({ pages: rules }, { path: 'job', baseDir: '.', needsSeeds: false })
  const replies = await Array.fromAsync(parseInputs(job, pages(...given), { threads: 0, page: chosen }))
  return replies.map(textOf)
}

test('a page is read by the rule that is chosen, by the one that it names, or by the first that fits, in this order', async () => {
  const named = { finalUrl: 'http://a.test/p/1', page: 'list' }
  expect(await read([list, detail], null, {}, { finalUrl: 'http://a.test/p/1' }, named)).toEqual([
    'list',
    'detail',
    'list',
  ])
  expect(await read([list, detail], 'detail', {}, named)).toEqual(['detail', 'detail'])
})

test('the only rule of a job reads each page, wherever it comes from', async () => {
  expect(await read([list], null, { finalUrl: 'file:///x.html' })).toEqual(['list'])
})

test('what is wrong with a page is told with its URL, once', async () => {
  const faults = await read(
    [list, detail],
    null,
    { finalUrl: 'http://b.test/' },
    { page: 'lst' },
    { contentType: 'application/json' },
  )
  expect(faults).toEqual([
    'no page rule fits http://b.test/: name one with --page, or with --url say where the page comes from',
    'http://a.test/list: no page rule is called "lst"',
    'http://a.test/list: the page is application/json; accepted are HTML, XHTML, XML and plain text',
  ])
})
