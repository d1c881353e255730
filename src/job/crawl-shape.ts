import type { z } from 'zod'
import { bytesOrSize, closed, duration, either, flag, listOf, milliseconds, oneOf, text, wholeNumber } from './shape.ts'

/** A year. */
const longestMs = 366 * 86_400_000
const names = listOf(text('the name of a parameter'), 'a list of names of parameters')
const most = (accepted = 1e9) => wholeNumber(1, accepted)

/** How far a job goes, and what of what it finds it goes after. */
export const crawlShape = {
  urls: closed(
    {
      dropParameters: names
        .meta({
          description: 'Parameters that say nothing of a page, in place of the usual list. `utm_*` is a beginning.',
        })
        .optional(),
      alsoDrop: names.meta({ description: 'More such parameters, beside that list.' }).optional(),
      sortQuery: flag.meta({ description: 'Whether the order of parameters says nothing (default true).' }).optional(),
    },
    '{ dropParameters, alsoDrop, sortQuery }',
  )
    .meta({ description: 'Which URLs are one page. Each is sent as it was found.' })
    .optional(),
  nofollow: oneOf(['ignore', 'obey'])
    .meta({ description: 'Whether pages may say that they are not to be followed or kept (default `ignore`).' })
    .optional(),
  canonical: oneOf(['ignore', 'use', 'follow'])
    .meta({ description: 'What it counts that a page names another URL as its own (default `ignore`: nothing).' })
    .optional(),
  sameContent: oneOf(['keep', 'skip'])
    .meta({ description: 'Whether a page with the text of an earlier one counts (default `keep`).' })
    .optional(),
  traps: either(
    [oneOf(['off'], ', or { perPattern: 1000 }'), closed({ perPattern: most().optional() }, '{ perPattern: 1000 }')],
    '`off` or { perPattern: 1000 }',
  )
    .meta({ description: 'When a row of URLs, such as a calendar, counts as endless.' })
    .optional(),
  budget: closed(
    {
      pages: most().meta({ description: 'Pages, whatever came of them.' }).optional(),
      timeMs: milliseconds(1, longestMs).optional(),
      time: duration(1, longestMs, 'a time with its unit: 90s, 30m, 2h, 1d').optional(),
      bytes: bytesOrSize(2 ** 50, '10GB, 500MiB')
        .meta({ description: 'Bodies as they came.' })
        .optional(),
      perHost: closed({ pages: most().optional() }, '{ pages }').optional(),
    },
    '{ pages, time, bytes, perHost: { pages } }',
  )
    .meta({ description: 'What one start of a run may spend before it ends by itself.' })
    .optional(),
}

export type CrawlShape = { readonly [K in keyof typeof crawlShape]?: z.output<(typeof crawlShape)[K]> }
