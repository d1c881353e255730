import { load } from 'cheerio'
import type { ModulePage } from '../src/module/module-page.ts'
import { fieldsBy } from './cheerio-fields.ts'

/** Pages read by a browser's rules as often as their seed says: twice costs twice. */
export function parse({ text, meta }: ModulePage): object {
  const times = Number(meta?.times ?? 1)
  for (let nth = 1; nth < times; nth += 1) fieldsBy(load(text))
  return fieldsBy(load(text)) as object
}
