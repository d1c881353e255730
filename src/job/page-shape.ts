import { z } from 'zod'
import { headersShape } from './limits-shape.ts'
import { closed, either, listOf, oneOf, text, wholeNumber } from './shape.ts'

const moduleText = 'a TypeScript or JavaScript file, relative to the job file'

const priorityBound = 1_000_000
const priority = wholeNumber(-priorityBound, priorityBound)
  .meta({ description: 'URLs of a higher number go before the others of their host (default 0).' })
  .optional()

const followEntry = either(
  [
    text('a selector'),
    closed(
      {
        selector: text('a selector').optional(),
        field: text('the name of a field')
          .meta({ description: 'In place of a selector: the field of the item whose value is the link.' })
          .optional(),
        match: text('a URL pattern').meta({ description: 'Which of the links are followed.' }).optional(),
        page: text('the name of a page rule').meta({ description: 'What reads them.' }).optional(),
        priority,
      },
      '{ selector or field, match, page, priority }',
    ),
  ],
  'a selector, or { selector or field, match, page, priority }',
)

/** What a page rule says of a page; a job with one kind of page has it at its top. */
export const readingShape = {
  item: z
    .record(z.string(), z.unknown(), 'a map of field names to selectors')
    .meta({ id: 'item', description: 'What to extract: field names to selectors.' })
    .optional(),
  items: closed(
    {
      selector: text('a selector').meta({ description: 'What holds one item each.' }).optional(),
      item: z
        .record(z.string(), z.unknown(), 'a map of field names to selectors')
        .meta({ id: 'itemOfItems', description: 'What to extract of each, with selectors relative to it.' })
        .optional(),
      required: z
        .boolean('true or false')
        .meta({ description: 'Whether a page without any item is a failure (default false).' })
        .optional(),
    },
    '{ selector, item }',
  )
    .meta({ description: 'Several items of one page: one for each match of a selector.' })
    .optional(),
  follow: either(
    [followEntry, listOf(followEntry, 'a list of selectors')],
    'a selector, { selector or field, match, page, priority }, or a list of them',
  )
    .meta({ description: 'Selectors of the elements whose links are followed, or fields that are links.' })
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
    priority,
  },
  'a page rule: { name, match, item, items, module, follow }',
)

export type PageShape = z.output<typeof pageShape>
