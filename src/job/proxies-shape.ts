import { z } from 'zod'
import { proxyText } from './proxy-line.ts'
import { closed, either, listOf, milliseconds, oneOf, positiveNumber, text, wholeNumber } from './shape.ts'

/** What a module may export where a file cannot: no editor is told of it. */
const aFunction = (accepted: string) =>
  z
    .unknown()
    .refine(value => typeof value === 'function', accepted)
    .meta({ not: {} })

const listText = 'a list of proxies, { from: file }, { env: NAME } or, in a module, a function that gives a list'
const traits = {
  region: text('where its exit is').meta({ description: 'Where the exit is; what blocks are compared by.' }).optional(),
  weight: positiveNumber(1_000).meta({ description: 'Its part of the requests (default 1).' }).optional(),
}
const sourceText = '{ url, region, weight, label }, { from: file } or { env: NAME }'
const source = closed(
  {
    url: text(proxyText).optional(),
    from: text('a file with a proxy a line').optional(),
    env: text('the name of a variable of the environment').optional(),
    label: text('a name for reports').optional(),
    ...traits,
  },
  sourceText,
)
const entry = either([text(proxyText), source], `${proxyText}, or ${sourceText}`)

const signText = '{ selector: "#captcha" } or { pattern: "Access Denied" }, with a name if you like'
const blockSign = closed(
  {
    name: text('a name for messages').optional(),
    selector: text('a selector').meta({ description: 'An element that only a page of this kind has.' }).optional(),
    pattern: text('a regular expression')
      .meta({ description: 'A regular expression over the source of the page, upper and lower case alike.' })
      .optional(),
    of: oneOf(['site', 'proxy'])
      .meta({ description: 'Who wrote such a page: the site (default), or the gateway of the proxy.' })
      .optional(),
  },
  signText,
)

const geoText = 'a region, a map of page rules to regions or, in a module, a function of the URL'

export const proxiesShape = closed(
  {
    connection: oneOf(['fresh', 'sticky', 'pooled'])
      .meta({ description: 'Who may use a connection again: nobody (default), the same session, everybody.' })
      .optional(),
    list: either([text(proxyText), source, listOf(entry, 'a list of proxies'), aFunction(listText)], listText)
      .meta({ description: 'The proxies; without any, requests go directly.' })
      .optional(),
    rotation: oneOf(['weighted', 'round-robin', 'least-used', 'sticky-host'])
      .meta({ description: 'Which of the open proxies is next (default weighted).' })
      .optional(),
    perProxy: wholeNumber(1, 10_000).meta({ description: 'Requests in flight by way of one proxy.' }).optional(),
    regions: listOf(text('a region'), 'a list of regions')
      .meta({ description: 'Where gateways with {geo} in their user name let tasks come out that do not say where.' })
      .optional(),
    geo: either([text(geoText), z.record(z.string(), text('a region'), geoText), aFunction(geoText)], geoText)
      .meta({ description: 'Where tasks shall come out whose seed does not say.' })
      .optional(),
    blockSigns: listOf(blockSign, 'a list of block signs')
      .meta({ description: 'What shows that a page is none: an element, or a text in its source.' })
      .optional(),
    session: closed(
      {
        maxUses: wholeNumber(1, 1_000_000).optional(),
        maxAgeMs: milliseconds(1).optional(),
        maxBlocks: wholeNumber(1, 1_000).optional(),
      },
      '{ maxUses, maxAgeMs, maxBlocks }',
    )
      .meta({ description: 'When the exit and the cookies of a session are worn out.' })
      .optional(),
  },
  '{ list: [...] }, and beside it connection, rotation, perProxy, regions, geo, blockSigns, session',
)

export type ProxiesShape = z.output<typeof proxiesShape>
export type ProxyEntryShape = z.output<typeof entry>
export type BlockSignShape = z.output<typeof blockSign>
