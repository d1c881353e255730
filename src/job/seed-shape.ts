import { z } from 'zod'
import type { JsonObject } from '../core/wire.ts'
import type { Seed } from './job.ts'
import { closed, either, text, wholeNumber } from './shape.ts'

const priorityBound = 1_000_000

/** What can be said of one URL, in the job and in each line of a file of seeds. */
const seedKeys = {
  page: text('the name of a page rule').optional(),
  session: text('a name that its links share')
    .meta({ description: 'Seeds of one session, and the links of their pages, share cookies and the exit of a proxy.' })
    .optional(),
  geo: text('a region that the proxies know').meta({ description: 'Where the exit of a proxy should be.' }).optional(),
  meta: z
    .record(z.string(), z.json(), 'a map of what to note beside the URL')
    .meta({ description: 'Noted beside the URL, for fields and modules to read; links of its page inherit it.' })
    .optional(),
  priority: wholeNumber(-priorityBound, priorityBound)
    .meta({ description: 'URLs of a higher number go before the others of their host (default 0).' })
    .optional(),
}

const address = text('an absolute http: or https: URL')
const recordText = 'a URL, or { url, page, session, geo, meta, priority }'

/** One line of a file of seeds. */
export const seedRecord = closed({ url: address, ...seedKeys }, recordText)

export const seedShape = either(
  [
    address,
    closed(
      {
        url: address.optional(),
        from: text('a file of URLs, or `-` for standard input').optional(),
        ...seedKeys,
      },
      'a URL, { url, page } or { from: file }',
      ['sitemap'],
    ),
  ],
  'a URL, { url, page } or { from: file }',
)

export type SeedShape = z.output<typeof seedShape>
export type SeedRecord = z.output<typeof seedRecord>

/** A seed with nothing left out. */
export const seedOf = ({ url, page, session, geo, meta, priority }: SeedRecord): Seed => ({
  url,
  page: page ?? null,
  session: session ?? null,
  geo: geo ?? null,
  meta: (meta as JsonObject | undefined) ?? null,
  priority: priority ?? 0,
})
