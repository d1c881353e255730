/** What a Content-Type header says, as far as it can be made out. */
export interface ContentType {
  /** `type/subtype` in lower case; empty when the header names none. */
  readonly essence: string
  /** The label as given, in lower case; whether anybody knows it is another question. */
  readonly charset: string | null
}

/** RFC 9110, 5.6.2. */
const essencePattern = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/

/** Splits where `separator` stands outside double quotes; a quote that is never closed is an ordinary character. */
function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1)
      if (close !== -1) at = close
    } else if (text[at] === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Without quotes of either kind, closed or not, and cut where a label must end. */
const labelOf = (value: string): string | null =>
  value
    .replaceAll('\\', '')
    .replace(/^[\s"']+/, '')
    .replace(/[\s"';,].*$/s, '')
    .toLowerCase() || null

function charsetOf(parameters: string): string | null {
  for (const parameter of splitOutsideQuotes(parameters, ';')) {
    const equals = parameter.indexOf('=')
    if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== 'charset') continue
    const label = labelOf(parameter.slice(equals + 1))
    if (label !== null) return label
  }
  return null
}

/** One value of a possibly repeated header. A blank in place of the first semicolon occurs. */
function parseOne(value: string): ContentType {
  const [, head = '', parameters = ''] = /^\s*([^\s;]*)(.*)$/s.exec(value) ?? []
  const essence = head.toLowerCase()
  return essencePattern.test(essence)
    ? { essence, charset: charsetOf(parameters) }
    : { essence: '', charset: charsetOf(value) }
}

/**
 * Reads a Content-Type header; any text gives an answer. Repeated headers, joined by commas, are read as the Fetch
 * standard does ("extract a MIME type"): the last type counts, and keeps an earlier charset if the type is the same.
 * Of repeated charsets in one value the first counts.
 */
export function contentTypeOf(header: string): ContentType {
  let found: ContentType = { essence: '', charset: null }
  for (const value of splitOutsideQuotes(header, ',')) {
    const { essence, charset } = parseOne(value)
    if (essence === '*/*' || (essence === '' && charset === null)) continue
    const isSame = essence === '' || found.essence === '' || essence === found.essence
    found = { essence: essence || found.essence, charset: charset ?? (isSame ? found.charset : null) }
  }
  return found
}
