import { normalizeEncoding } from '@exodus/bytes/encoding.js'
import { declaredInside } from './meta-prescan.ts'

/** `<?xml ... encoding="label" ... ?>`, as "get an XML encoding" of the HTML standard reads it; blanks before it occur in feeds. */
const declaration = /^[\t\n\f\r ]*<\?xml[^>]*?encoding[\0-\x20]*=[\0-\x20]*(?:"([^"\0-\x20]*)"|'([^'\0-\x20]*)')[^>]*>/

/** The known charset that the XML declaration at the start of `text` (bytes read as latin1) names. */
export function xmlDeclaredCharset(text: string): string | null {
  const found = declaration.exec(text)
  return found === null ? null : declaredInside(normalizeEncoding(found[1] ?? found[2] ?? ''))
}
