import { z } from 'zod'
import { closed, either, listOf, oneOf, positiveNumber, text, wholeNumber } from './shape.ts'

/**
 * The shape of a job as it is written, without a default filled in. What a shape cannot say (that a pattern parses,
 * that a page exists, that a raised bound has its reason) is checked beside it, in `check-job.ts`.
 */

/** A day: no honest delay, deadline or wait of one URL is longer. */
const longestMs = 86_400_000
const mostInFlight = 10_000

const milliseconds = (min: number) => wholeNumber(min, longestMs, ' of milliseconds')
const headers = z.record(
  z.string(),
  either([z.string(), z.number()], 'the text of the header'),
  'a map of header names to their text',
)
const hostNames = (accepted: string) => listOf(text(accepted), `a list of ${accepted}s`)

const delayMs = either(
  [milliseconds(0), z.tuple([milliseconds(0), milliseconds(0)], 'two numbers')],
  `milliseconds from 0 to ${longestMs}: a number, or [min, max] to draw from`,
).meta({ description: 'Departures of one host are at least this far apart, in milliseconds.' })

const rateOf = (description: string) =>
  either(
    [
      oneOf(['none'], ', { perSecond: 2 } or { perMinute: 120, burst: 5 }'),
      closed(
        {
          perSecond: positiveNumber(10_000, ' per second').optional(),
          perMinute: positiveNumber(600_000, ' per minute').optional(),
          burst: wholeNumber(1, 10_000).optional(),
        },
        '`none` or { perSecond or perMinute, burst }',
      ),
    ],
    '`none`, { perSecond: 2 } or { perMinute: 120, burst: 5 }',
  ).meta({ description })
const burstText = 'burst is how many may leave at once (default 1).'
const rate = rateOf(`Departures per host and time; ${burstText}`)

const policyNames = ['fixed', 'aimd', 'courteous', 'window', 'blockrate', 'gradient', 'vegas'] as const
const policyShape = {
  policy: oneOf(policyNames).optional(),
  start: wholeNumber(1, mostInFlight).optional(),
  max: wholeNumber(1, mostInFlight).optional(),
}
const perHost = closed(policyShape, '{ policy: aimd, start: 2, max: 16 } or { policy: fixed, max: 4 }').meta({
  description: 'Requests in flight on one host: a fixed number, or one that follows the health of the host.',
})

const moduleText = 'a TypeScript or JavaScript file, relative to the job file'

const pageShape = {
  item: z
    .record(z.string(), z.unknown(), 'a map of field names to selectors')
    .meta({ id: 'item', description: 'What to extract: field names to selectors.' })
    .optional(),
  follow: either(
    [text('a selector'), listOf(text('a selector'), 'a list of selectors')],
    'a selector or a list of selectors',
  )
    .meta({ description: 'Selectors of the elements whose links are followed.' })
    .optional(),
  parser: oneOf(['fast', 'browser'])
    .meta({ description: 'How HTML is read: `fast`, or the very tree that a browser builds.' })
    .optional(),
  module: text(moduleText)
    .meta({ description: 'A TypeScript or JavaScript file that exports `parse(page)`, relative to the job file.' })
    .optional(),
}

const page = closed(
  {
    name: text('a name for this kind of page').meta({ description: 'What items say in `_page`.' }).optional(),
    match: text('a URL pattern')
      .meta({ description: 'A URL pattern over the path, or the whole URL; without it every URL fits.' })
      .optional(),
    ...pageShape,
    headers: headers.optional(),
  },
  'a page rule: { name, match, item, module, follow }',
)

const seed = either(
  [
    text('an absolute http: or https: URL'),
    closed(
      {
        url: text('an absolute http: or https: URL').optional(),
        page: text('the name of a page rule').optional(),
        from: text('a file of URLs, or `-` for standard input').optional(),
      },
      'a URL, { url, page } or { from: file }',
      ['session', 'geo', 'meta', 'sitemap'],
    ),
  ],
  'a URL, { url, page } or { from: file }',
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

const byteSizeText = 'bytes as a whole number, or with a unit: 10MB, 512KiB'
const bytes = either([wholeNumber(1, 2 ** 40), text(byteSizeText)], byteSizeText)

const limits = closed(
  {
    perHost: perHost.optional(),
    rate: rate.optional(),
    delayMs: delayMs.optional(),
    globalRate: rateOf(`Departures over all hosts and time; ${burstText}`).optional(),
    inFlight: wholeNumber(1, mostInFlight).meta({ description: 'Requests in flight over all hosts.' }).optional(),
    bodyBytes: bytes.meta({ description: 'Bound of one decoded body.' }).optional(),
    pageBudgetBytes: bytes.meta({ description: 'Bound of all bodies held at a time.' }).optional(),
  },
  '{ perHost, rate, delayMs, globalRate, inFlight, bodyBytes, pageBudgetBytes }',
)

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

const host = closed(
  {
    ...policyShape,
    rate: rate.optional(),
    delayMs: delayMs.optional(),
    headers: headers.optional(),
    allowPrivate: z
      .boolean('true or false')
      .meta({ description: 'Whether pages of the public web may lead to this host though its address is private.' })
      .optional(),
    reason: text('who agreed to it, or why').optional(),
  },
  '{ max, policy, rate, delayMs, headers, allowPrivate, reason }',
)

const typeList = listOf(text('a media type'), 'a list of media types').optional()
const contentTypes = closed({ accept: typeList, refuse: typeList }, '{ accept, refuse }').meta({
  description: 'Which types of content are read at all, by their Content-Type: `text/html`, `image/*`.',
})

const redirects = closed(
  {
    max: wholeNumber(0, 100).optional(),
    metaRefresh: z
      .boolean('true or false')
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

const outputFormats = ['jsonl'] as const

export const jobShape = closed(
  {
    $schema: z.string('the address of a JSON Schema').optional(),
    name: text('a name').optional(),
    preset: oneOf(['polite', 'general', 'bulk']).optional(),
    seeds: listOf(seed, 'a list of URLs').meta({ description: 'Where the job begins.' }).optional(),
    scope: scope.optional(),
    pages: listOf(page, 'a list of page rules')
      .meta({ description: 'Kinds of pages; the first whose pattern fits a URL reads it.' })
      .optional(),
    ...pageShape,
    limits: limits.optional(),
    timeouts: timeouts.optional(),
    retries: retries.optional(),
    robots: robots.optional(),
    hosts: z.record(z.string(), host, 'a map of hosts to what differs for them').optional(),
    headers: headers.optional(),
    contentTypes: contentTypes.optional(),
    redirects: redirects.optional(),
    cookies: z
      .boolean('true or false')
      .meta({ description: 'Whether cookies are kept and sent back (default false).' })
      .optional(),
    tls: tls.optional(),
    userAgent: text('the name and version to ask as').optional(),
    contact: text('a URL about the project, or mailto:...')
      .meta({ description: 'Where those who are asked can complain: added to the user agent.' })
      .optional(),
    output: closed(
      { format: oneOf(outputFormats, ' (others are not supported by this version)').optional() },
      '{ format: jsonl }',
    ).optional(),
  },
  'a job: a map with `seeds`, and `pages` or `item`',
  ['proxies'],
)

/** A job that has the right shape. */
export type JobShape = z.output<typeof jobShape>
export type LimitsShape = z.output<typeof limits>
export type HostShape = z.output<typeof host>
export type PageShape = z.output<typeof page>
export type SeedShape = z.output<typeof seed>
export type RateShape = z.output<typeof rate>
export type DelayShape = z.output<typeof delayMs>
