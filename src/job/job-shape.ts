import { z } from 'zod'
import { cacheShape } from './cache-shape.ts'
import { crawlShape } from './crawl-shape.ts'
import { headersShape, hostShape, limitsShape } from './limits-shape.ts'
import { outputShape } from './output-shape.ts'
import { pageShape, readingShape } from './page-shape.ts'
import { proxiesShape } from './proxies-shape.ts'
import { seedShape } from './seed-shape.ts'
import { closed, either, flag, listOf, milliseconds, oneOf, text, wholeNumber } from './shape.ts'

/**
 * The shape of a job as it is written, without a default filled in. What a shape cannot say (that a pattern parses,
 * that a page exists, that a raised bound has its reason) is checked beside it, in `check-job.ts`.
 */

const hostNames = (accepted: string) => listOf(text(accepted), `a list of ${accepted}s`)

const timeouts = closed(
  {
    connectMs: milliseconds(1).optional(),
    firstByteMs: milliseconds(1).optional(),
    idleMs: milliseconds(1).optional(),
    totalMs: milliseconds(1).optional(),
    parseMs: milliseconds(1).optional(),
    minBytesPerSecond: wholeNumber(0, 1e9).optional(),
  },
  '{ connectMs, firstByteMs, idleMs, totalMs, parseMs, minBytesPerSecond }',
)

const mostBudget = 100
const budgetText = `a part of the requests from 0 to ${mostBudget}, such as 0.1`
const retries = closed(
  {
    url: wholeNumber(0, 100).optional(),
    proxy: wholeNumber(0, 1_000).optional(),
    totalWaitMs: milliseconds(0).optional(),
    budget: z.number(budgetText).min(0, budgetText).max(mostBudget, budgetText).optional(),
  },
  '{ url, proxy, totalWaitMs, budget }',
)

const robots = either(
  [
    oneOf(['obey'], ', or { ignoreFor: [hosts] } naming the hosts whose owner agreed'),
    closed({ ignoreFor: hostNames('host name') }, '{ ignoreFor: [hosts] }'),
  ],
  '`obey` or { ignoreFor: [hosts] }',
)

const withinNames = ['same-host', 'same-domain', 'any'] as const
const patterns = listOf(text('a URL pattern'), 'a list of URL patterns').optional()
const scope = either(
  [
    oneOf(withinNames),
    closed(
      {
        within: oneOf(withinNames).optional(),
        include: patterns,
        exclude: patterns,
        maxDepth: wholeNumber(0, 1_000_000).optional(),
      },
      '{ within, include, exclude, maxDepth }',
    ),
  ],
  '`same-host`, `same-domain`, `any` or { within, include, exclude, maxDepth }',
).meta({ description: 'Which links belong to the job, compared with the hosts of the seeds.' })

const typeList = listOf(text('a media type'), 'a list of media types').optional()
const contentTypes = closed({ accept: typeList, refuse: typeList }, '{ accept, refuse }').meta({
  description: 'Which types of content are read at all, by their Content-Type: `text/html`, `image/*`.',
})

const redirects = closed(
  {
    max: wholeNumber(0, 100).optional(),
    metaRefresh: flag
      .meta({ description: 'Whether a page that sends its reader elsewhere at once is a redirect.' })
      .optional(),
  },
  '{ max, metaRefresh }',
)

const certificateFile = text('a file of certificates in PEM')
const tls = closed(
  {
    ca: either([certificateFile, listOf(certificateFile, 'a list of files')], 'a file of certificates in PEM')
      .meta({ description: 'Certificates that are trusted beside the usual ones.' })
      .optional(),
  },
  '{ ca: file }',
)

const auditText = 'a part of the pages from 0 to 1, such as 0.01'

export const jobShape = closed(
  {
    $schema: z.string('the address of a JSON Schema').optional(),
    name: text('a name').optional(),
    preset: oneOf(['polite', 'general', 'bulk']).optional(),
    seeds: listOf(seedShape, 'a list of URLs').meta({ description: 'Where the job begins.' }).optional(),
    scope: scope.optional(),
    ...crawlShape,
    pages: listOf(pageShape, 'a list of page rules')
      .meta({ description: 'Kinds of pages; the first whose pattern fits a URL reads it.' })
      .optional(),
    ...readingShape,
    limits: limitsShape.optional(),
    timeouts: timeouts.optional(),
    retries: retries.optional(),
    robots: robots.optional(),
    hosts: z.record(z.string(), hostShape, 'a map of hosts to what differs for them').optional(),
    headers: headersShape.optional(),
    contentTypes: contentTypes.optional(),
    redirects: redirects.optional(),
    cookies: flag.meta({ description: 'Whether cookies are kept and sent back (default false).' }).optional(),
    cache: cacheShape.optional(),
    http2: flag
      .meta({ description: 'Whether hosts that can do so are spoken to in HTTP/2 (default false).' })
      .optional(),
    tls: tls.optional(),
    proxies: proxiesShape.optional(),
    userAgent: text('the name and version to ask as').optional(),
    contact: text('a URL about the project, or mailto:...')
      .meta({ description: 'Where those who are asked can complain: added to the user agent.' })
      .optional(),
    audit: z
      .number(auditText)
      .min(0, auditText)
      .max(1, auditText)
      .meta({ description: 'Which part of the pages both parsers read, to report the fields that differ (default 0).' })
      .optional(),
    output: outputShape.optional(),
  },
  'a job: a map with `seeds`, and `pages` or `item`',
)

/** A job that has the right shape. */
export type JobShape = z.output<typeof jobShape>
