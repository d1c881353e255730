import { z } from 'zod'
import { headersShape } from './limits-shape.ts'
import { closed, either, listOf, oneOf, text } from './shape.ts'

const moduleText = 'a TypeScript or JavaScript file, relative to the job file'

/** What a page rule says of a page; a job with one kind of page has it at its top. */
export const readingShape = {
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

export const pageShape = closed(
  {
    name: text('a name for this kind of page').meta({ description: 'What items say in `_page`.' }).optional(),
    match: text('a URL pattern')
      .meta({ description: 'A URL pattern over the path, or the whole URL; without it every URL fits.' })
      .optional(),
    ...readingShape,
    headers: headersShape.optional(),
  },
  'a page rule: { name, match, item, module, follow }',
)

export type PageShape = z.output<typeof pageShape>
