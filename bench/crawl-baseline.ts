import { load } from 'cheerio'
import pLimit from 'p-limit'
import { request } from 'undici'
import { fieldsBy } from './cheerio-fields.ts'

/**
 * What people write at home: undici, p-limit and `cheerio.load` on the main thread, the same fields, 64 at once.
 * Says what it cost to the process that started it.
 */
const [base = '', count = '0'] = process.argv.slice(2)
const limit = pLimit(64)
let items = 0
let bytes = 0

async function visit(url: string): Promise<void> {
  const { body } = await request(url)
  const html = await body.text()
  const item = fieldsBy(load(html))
  bytes += JSON.stringify(item).length
  items += 1
}

const startCpu = process.cpuUsage()
const startMs = performance.now()
await Promise.all(Array.from({ length: Number(count) }, (_, nth) => limit(() => visit(`${base}/${nth}`))))
const { user, system } = process.cpuUsage(startCpu)
process.send?.({
  items,
  bytes,
  cpuMs: (user + system) / 1000,
  wallMs: performance.now() - startMs,
  rssMb: process.resourceUsage().maxRSS / 1024,
})
process.disconnect?.()
