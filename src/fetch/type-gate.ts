import type { ContentTypes } from '../job/job.ts'

/**
 * Types that no page has. Gzip is not among them: sitemaps come as `application/gzip`, and the worker looks at the
 * bytes. Images in SVG are text.
 */
const binary = new RegExp(
  `^(?:${[
    'image/(?!svg)',
    'audio/',
    'video/',
    'font/',
    'model/',
    'application/(?:(?:octet-stream|pdf|zip|wasm|msword|rtf|java-archive|vnd\\.rar|x-bzip2?|x-tar|epub\\+zip)$|x-(?:7z|rar|zip)-compressed$|x-(?:shockwave-flash|msdownload|msdos-program|executable|apple-diskimage|debian-package|rpm|iso9660-image|bittorrent|font-.*)$|font-.*$|vnd\\.(?:ms-|openxmlformats-|oasis\\.opendocument\\.|android\\.package-archive))',
  ].join('|')})`,
)

/** The type without its parameters; the first of several. */
export const mediaType = (contentType: string): string =>
  (/^[^;,\s]*/.exec(contentType.trim())?.[0] ?? '').toLowerCase()

const fits = (type: string, pattern: string): boolean =>
  pattern === '*/*' || (pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern)

/**
 * Judges a body by its Content-Type, before it is paid for: true is to be refused. A body without a type is read, since
 * the worker looks at the bytes. Without lists, what no page can be is refused.
 */
export function createTypeGate({ accept, refuse }: ContentTypes): (contentType: string) => boolean {
  return contentType => {
    const type = mediaType(contentType)
    if (type === '') return false
    const isNamed = (patterns: readonly string[]): boolean => patterns.some(pattern => fits(type, pattern))
    return isNamed(refuse) || (accept.length > 0 ? !isNamed(accept) : binary.test(type))
  }
}
