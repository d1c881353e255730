import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fromArchive } from '../../src/run/archive-input.ts'
import { temporaryFolder } from '../cli/kit.ts'

function recordOf(url: string, type: string): string {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\nbody`
  const fields = ['WARC-Type: response', `WARC-Target-URI: ${url}`, 'Content-Type: application/http; msgtype=response']
  return ['WARC/1.1', ...fields, `Content-Length: ${block.length}`, '', block, '', ''].join('\r\n')
}

test('the robots file that a recording has is no page', async () => {
  await using folder = await temporaryFolder()
  const records = [
    recordOf('http://a.test/robots.txt', 'text/plain'),
    recordOf('http://a.test/list', 'text/html'),
    recordOf('http://a.test/docs/robots.txt', 'text/plain'),
  ]
  await folder.write('run.warc', records.join(''))
  const found = await Array.fromAsync(fromArchive(join(folder.path, 'run.warc')))
  expect(found.map(input => ('url' in input ? input.url : input.reason))).toEqual([
    'http://a.test/list',
    'http://a.test/docs/robots.txt',
  ])
})
