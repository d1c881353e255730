import type { ModulePage } from '../src/module/module-page.ts'
import { fieldsBy } from './cheerio-fields.ts'

/** Pages read by a browser's rules, by way of a tree: what costs most. */
export const parse = ({ $ }: ModulePage) => fieldsBy($) as object
