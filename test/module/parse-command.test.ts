import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { millrace, temporaryFolder } from '../cli/kit.ts'

test('pages of files, folders, lines and a pipe come out as items, in the order of the inputs', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  mkdirSync(join(folder.path, 'pages', 'deep'), { recursive: true })
  await folder.write('job.yaml', 'item: { title: title }\nfollow: a\n')
  await folder.write('one.html', '<title>1</title>')
  await folder.write('pages/two.html', '<title>2</title>')
  await folder.write('pages/deep/a b.htm', '<title>0</title>')
  await folder.write('pages/picture.png', 'none')
  await folder.write(
    'lines.jsonl',
    `{"url":"http://x.test/3","html":"<title>3</title>"}\n\n{"url":7}\nno json\n{"url":"http://x.test/4","html":"<title>4</title>","page":"other"}\n`,
  )
  const stdin = Array.from({ length: 50 }, (_, nth) =>
    JSON.stringify({ url: 'http://p.test/', html: `<title>${nth}</title>` }),
  )
  const inputs = ['one.html', 'pages', 'lines.jsonl', '-']
  const ended = await millrace(
    ['parse', 'job.yaml', ...inputs, '--url', 'http://h.test/', '--threads', '2'],
    folder.path,
    stdin.join('\n'),
  )
  const items = ended.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(items.map(({ title, _url }) => `${title} ${_url}`)).toEqual([
    '1 http://h.test/',
    '0 http://h.test/deep/a%20b.htm',
    '2 http://h.test/two.html',
    '3 http://x.test/3',
    ...stdin.map((_, nth) => `${nth} http://p.test/`),
  ])
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('lines.jsonl:3: `url` must be an absolute URL')
  expect(ended.stderr).toContain('lines.jsonl:4: this is not JSON')
  expect(ended.stderr).toContain('http://x.test/4: no page rule is called "other"')
  expect(ended.stderr).toContain('54 items from 57 pages, 3 could not be parsed.')
})

test('where no page could be parsed the exit code says so, and the fault says which page it is', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await folder.write('job.yaml', 'item: { title: title }\n')
  await folder.write('good.html', '<title>good</title>')
  await folder.write('bad.html', '%PDF-1.4')
  const parse = (...args: string[]) => millrace(['parse', 'job.yaml', '--threads', '1', ...args], folder.path)
  const [one, bad, both, strict] = [
    await parse('good.html'),
    await parse('bad.html'),
    await parse('good.html', 'bad.html'),
    await parse('good.html', 'bad.html', '--strict'),
  ]
  expect(one).toMatchObject({ code: 0, stderr: '1 item from 1 page.\n' })
  expect(bad).toMatchObject({ code: 3, stdout: '' })
  expect(bad.stderr).toMatch(/^CONTENT_TYPE {2}file:\/\/.*\/bad\.html: .* PDF/)
  expect([both.code, strict.code]).toEqual([0, 3])
})

test('one page in a pipe is a page; what cannot be read is told with the exit code of a wrong command line', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await folder.write('job.yaml', 'item: { title: title }\n')
  const page = await millrace(['parse', 'job.yaml', '-', '--threads', '1'], folder.path, ' \n<title>piped</title>')
  expect(JSON.parse(page.stdout)).toMatchObject({ title: 'piped' })
  const none = await millrace(['parse', 'job.yaml', 'none.html'], folder.path)
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('none.html cannot be read: there is no such file or folder')
})
