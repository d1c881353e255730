import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mostDeaths } from '../../src/parse/parse-marks.ts'
import { millrace, startSite, temporaryFolder } from '../cli/kit.ts'

test('a page that kills the whole process is set aside after nine times in a row, and the run goes on to its end', {
  timeout: 90_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${request.url?.slice(1)}</title>`)
  })
  await folder.write(
    'product.ts',
    `export function parse({ $ }) {
      const title = $('title').text()
      if (title === 'bad') process.kill(process.pid, 'SIGKILL')
      return { title }
    }`,
  )
  const names = ['1', '2', 'bad', '3', '4', '5']
  await folder.write(
    'job.yaml',
    `name: out\nseeds: ${JSON.stringify(names.map(name => `${site.url}/${name}`))}\nmodule: ./product.ts\n`,
  )
  const codes: (number | null)[] = []
  for (let run = 0; run <= mostDeaths && codes.at(-1) !== 0; run += 1)
    codes.push((await millrace(['run', 'job.yaml', '--quiet', '--threads', '2'], folder.path)).code)
  expect(codes).toEqual([...Array.from({ length: mostDeaths }, () => null), 0])
  const linesOf = (name: string) =>
    readFileSync(join(folder.path, 'out', name), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  expect(
    linesOf('items.jsonl')
      .map(({ title }) => title)
      .sort(),
  ).toEqual(['1', '2', '3', '4', '5'])
  expect(linesOf('dead.jsonl')).toMatchObject([
    {
      url: `${site.url}/bad`,
      code: 'PARSE_CRASHED',
      message: expect.stringContaining(`each of the ${mostDeaths} times the whole process died`),
      replay: expect.stringContaining('--replay'),
    },
  ])
})
