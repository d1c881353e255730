import { countText } from '../core/count-text.ts'
import type { UnroutedLinks } from '../core/wire.ts'
import { printable } from './terminal.ts'

/** They are dropped on purpose, as page rules filter; a rule that is wrong looks the same. */
export const unroutedText = ({ count, example }: UnroutedLinks): string =>
  `${countText(count)} followed ${count === 1 ? 'link fits' : 'links fit'} no page rule, such as ${printable(example)}`
