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

const columnText = 'the name of a column, or its number from 0 on'
const delimiterText = 'one character'
const sitemapText = 'the URL of a sitemap, or `robots`'
export const sinceText = 'a date: 2026-01-31'
const seedText = 'a URL, { url, page }, { from: file } or { sitemap: URL }'

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
        column: either([text(columnText), wholeNumber(0, 10_000)], columnText)
          .meta({
            description: 'The file is a table (CSV), and its URLs are in this column; the others become `meta`.',
          })
          .optional(),
        delimiter: z
          .string(delimiterText)
          .length(1, delimiterText)
          .meta({ description: 'What stands between columns (default: what stands most often in the first line).' })
          .optional(),
        sitemap: text(sitemapText)
          .meta({ description: 'A sitemap, read for its URLs; or `robots`: those that the robots file of `of` names.' })
          .optional(),
        of: text('the URL of a site').optional(),
        since: text(sinceText)
          .meta({ description: 'URLs that say that they have not changed since then are left out.' })
          .optional(),
        ...seedKeys,
      },
      seedText,
    ),
  ],
  seedText,
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
