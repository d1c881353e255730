import { httpDateMs } from '../pace/retry-after.ts'

type Headers = Readonly<Record<string, string>>

/** RFC 9110, 8.8.3. Others are no use: servers compare what they find between the quotes. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** What asks whether a stored answer still holds (RFC 9110, 13.1), flat: its validators as they came. */
export function conditionsOf({ etag, 'last-modified': lastModified }: Headers): readonly string[] {
  return [
    ...(etag !== undefined && entityTag.test(etag) ? ['If-None-Match', etag] : []),
    ...(lastModified !== undefined && httpDateMs(lastModified, 0) !== null ? ['If-Modified-Since', lastModified] : []),
  ]
}

/**
 * Of the connection, or of the body that a 304 does not have (RFC 9111, 3.2): what is stored stays as it is coded.
 * Servers send the type and length of an empty body along.
 */
const ofTheAnswer = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'keep-alive',
  'proxy-authenticate',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers of a stored answer after its host said that it still holds. */
export const updatedHeaders = (stored: Headers, confirming: Headers): Headers => ({
  ...stored,
  ...Object.fromEntries(Object.entries(confirming).filter(([name]) => !ofTheAnswer.has(name))),
})
