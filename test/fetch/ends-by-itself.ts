import { fetcherWith, get } from './kit.ts'

/** Run as a process of its own: one page, then nothing that would keep the process alive. */
const [, , url = '', how = ''] = process.argv
const fetcher = fetcherWith()
const outcome = await get(fetcher, url)
if (how === 'closed') await fetcher[Symbol.asyncDispose]()
process.stdout.write(`${outcome.kind}\n`)
