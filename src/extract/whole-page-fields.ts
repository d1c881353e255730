import { jsonLd } from './structured/json-ld.ts'
import { markdown } from './structured/markdown.ts'
import { microdata } from './structured/microdata.ts'
import { opengraph } from './structured/opengraph.ts'
import { readability } from './structured/readability.ts'
import { script } from './structured/script.ts'
import { xpath } from './structured/xpath.ts'
import type { WholePageField } from './whole-page-field.ts'

/** The table of fields that are read from the page as a whole, by what stands at their `from`. */
export const wholePageFields: Readonly<Record<string, WholePageField>> = {
  'json-ld': jsonLd,
  microdata,
  opengraph,
  script,
  readability,
  markdown,
  xpath,
}
