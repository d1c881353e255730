import type { FieldType } from './field-type.ts'

/** Where the HTML standard keeps the URL of an element. */
const attributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'href',
    area: 'href',
    base: 'href',
    link: 'href',
    audio: 'src',
    embed: 'src',
    frame: 'src',
    iframe: 'src',
    img: 'src',
    input: 'src',
    script: 'src',
    source: 'src',
    track: 'src',
    video: 'src',
    blockquote: 'cite',
    del: 'cite',
    ins: 'cite',
    q: 'cite',
    form: 'action',
    meta: 'content',
    object: 'data',
  }),
)

/** Absolute, as the URL standard reads it (tabs and line breaks are not part of a URL). Null for an empty one. */
export const url: FieldType = {
  attributeOf: tag => attributes.get(tag) ?? null,
  read: (text, page) => (text.trim() === '' ? null : (URL.parse(text, page.baseUrl)?.href ?? null)),
  absent: null,
}
