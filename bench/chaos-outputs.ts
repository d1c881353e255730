import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { listen } from '../src/bench/listen.ts'
import { readWarc } from '../src/warc/read.ts'
import { isResponse } from '../src/warc/response.ts'
import { killAgainAndAgain } from '../test/resume/kit.ts'

/**
 * Kills a run again and again, with every kind of output, and looks for each page in the items and in the archive: it is
 * there once. `node bench/chaos-outputs.ts [KILLS] [SEED]`
 */

const pages = 800
const kills = Number(process.argv[2] ?? 6)
const seed = Number(process.argv[3] ?? 7)

const server = createServer((request, response) => {
  const nth = Number(request.url?.slice(1))
  if (!(nth >= 0 && nth < pages)) return response.writeHead(404).end()
  const links = [2 * nth + 1, 2 * nth + 2].filter(child => child < pages).map(child => `<a href="/${child}">x</a>`)
  response.setHeader('content-type', 'text/html')
  setTimeout(() => response.end(`<title>${nth}</title>${links.join('')}`), 20)
  return undefined
})
const url = `http://127.0.0.1:${await listen(server)}/0`

interface Row {
  readonly _url: string
}

async function rowsIn(folder: string, output: string): Promise<readonly Row[]> {
  if (output.includes('sqlite'))
    return new DatabaseSync(join(folder, 'state.db')).prepare('SELECT _url FROM items').all() as unknown as Row[]
  const rows: Row[] = []
  for (const name of (await readdir(folder)).filter(found => found.startsWith('items'))) {
    const path = join(folder, name)
    if (name.endsWith('.parquet'))
      rows.push(...((await parquetReadObjects({ file: await asyncBufferFromFile(path) })) as unknown as Row[]))
    else if (name.endsWith('.csv.gz')) rows.push(...parse<Row>(gunzipSync(await readFile(path)), { columns: true }))
    else throw new Error(`${name} was left`)
  }
  return rows
}

async function archivedIn(path: string): Promise<readonly string[]> {
  const urls: string[] = []
  for await (const record of readWarc(createReadStream(path), isResponse, 1e6)) {
    if ('reason' in record) throw new Error(`${path}: ${record.reason}`)
    urls.push(record.fields['warc-target-uri'] ?? '')
  }
  return urls
}

let isRight = true
for (const format of ['csv, compress: gzip, rotate: { bytes: 2000 }', 'sqlite', 'parquet, rotate: { bytes: 20000 }']) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'))
  const output = `{ format: ${format}, warc: pages.warc.gz }`
  const job = `name: tree\nseeds: ["${url}"]\nitem: { title: title }\nfollow: [a]\noutput: ${output}\nlimits: { perHost: { policy: fixed, max: 8 } }\n`
  await writeFile(join(folder, 'job.yaml'), job)
  const codes = await killAgainAndAgain({ folder, kills, seed, longestMs: 1200 })
  const items = (await rowsIn(join(folder, 'out'), output)).map(({ _url }) => _url)
  const archived = await archivedIn(join(folder, 'out', 'pages.warc.gz'))
  const counts = [items, archived].flatMap(urls => [urls.length, new Set(urls).size])
  isRight &&= codes.at(-1) === 0 && counts.every(count => count === pages)
  console.log(
    `${output}: ${codes.length - 1} kills, ${counts[0]} items (${counts[1]} pages), ${counts[2]} archived (${counts[3]} pages)`,
  )
  await rm(folder, { recursive: true })
}
server.closeAllConnections()
server.close()
if (!isRight) {
  console.error(`each of ${pages} pages should be there once`)
  process.exitCode = 1
}
