import { once } from 'node:events'
import { expect, test } from 'vitest'
import { millrace, startMillrace, startSite, temporaryFolder } from './kit.ts'

test('try --watch looks again when a module that a module imports has changed, and fetches the page once', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/robots.txt' ? '' : '<title>the page</title>')
  })
  await folder.write('helper.ts', `export const word: string = 'first'`)
  await folder.write(
    'page.ts',
    `import { word } from './helper.ts'
    export const parse = ({ $ }) => ({ word, title: $('title').text() })`,
  )
  await folder.write('job.yaml', `seeds: ["${site.url}/"]\nmodule: ./page.ts\n`)
  const child = startMillrace(['try', `${site.url}/`, '--job', 'job.yaml', '--watch', '--json'], folder.path)
  let told = ''
  const saw = async (text: string): Promise<void> => {
    while (!told.includes(text)) told += String((await once(child.stdout, 'data'))[0])
  }
  const watches = async (): Promise<void> => {
    let heard = ''
    while (!heard.includes('Ctrl-C ends')) heard += String((await once(child.stderr, 'data'))[0])
  }
  const watching = watches()
  await saw('"word": "first"')
  await watching
  await folder.write('helper.ts', `export const word: string = 'second'`)
  await saw('"word": "second"')
  // A module without end is ended by the next change.
  await folder.write('helper.ts', `for (;;);`)
  await new Promise(resolve => setTimeout(resolve, 300))
  await folder.write('helper.ts', `export const word: string = 'third'`)
  await saw('"word": "third"')
  expect(site.requests).toBe(1)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  expect((await ended)[0]).toBe(130)
})

test('try --watch on a module with an endless loop ends with PARSE_TIMEOUT of its page, and looks again after a change', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await folder.write('page.html', '<title>the page</title>')
  await folder.write('page.ts', 'export const parse = () => { for (;;); }')
  await folder.write(
    'job.yaml',
    'name: loop\ntimeouts: { parseMs: 300 }\npages: [{ name: product, module: ./page.ts }]\n',
  )
  const child = startMillrace(['try', 'page.html', '--job', 'job.yaml', '--page', 'product', '--watch'], folder.path)
  let [found, told] = ['', '']
  child.stdout.on('data', chunk => {
    found += String(chunk)
  })
  child.stderr.on('data', chunk => {
    told += String(chunk)
  })
  const saw = async (text: string): Promise<void> => {
    while (!(found + told).includes(text)) await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  }
  await saw('Ctrl-C ends')
  await saw('PARSE_TIMEOUT')
  expect(told).toMatch(/PARSE_TIMEOUT +file:.*page\.html \(page product\) took longer than 300 ms/)
  await folder.write(
    'page.ts',
    `export const parse = ({ $ }) => {
    console.log('said by the module')
    return { title: $('title').text() }
  }`,
  )
  await saw('"title": "the page"')
  await saw('said by the module')
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  expect((await ended)[0]).toBe(130)
})

test('without a job there is nothing to watch', async () => {
  await using folder = await temporaryFolder()
  expect(await millrace(['try', 'http://127.0.0.1/', '--watch'], folder.path)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--job'),
  })
})
