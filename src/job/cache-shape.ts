import type { z } from 'zod'
import { bytesOrSize, closed, either, oneOf, positiveNumber, text } from './shape.ts'

const folder = text('a folder, relative to the job file')

/** Ten years. */
const longestHours = 87_600

export const cacheShape = either(
  [
    folder,
    closed(
      {
        dir: folder.meta({ description: 'Where answers are kept, relative to the job file.' }).optional(),
        mode: oneOf(['revalidate', 'reuse'])
          .meta({
            description:
              '`revalidate`: as HTTP has it (the default). `reuse`: what was fetched once is used whatever its age, and its host not asked.',
          })
          .optional(),
        maxAgeHours: positiveNumber(longestHours, ' of hours')
          .meta({ description: 'In `reuse`: what is older is asked about (default: nothing is too old).' })
          .optional(),
        maxBytes: bytesOrSize(2 ** 50, '500MB, 2GB')
          .meta({ description: 'Ceiling of all that is kept; what was not used for longest goes (default 1GB).' })
          .optional(),
      },
      '{ dir, mode, maxAgeHours, maxBytes }',
    ),
  ],
  'a folder, or { dir, mode, maxAgeHours, maxBytes }',
).meta({ description: 'Answers that outlive a run: HTTP caching, or quick runs while selectors are written.' })

export type CacheShape = z.output<typeof cacheShape>
