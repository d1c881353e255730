import { createReadStream } from 'node:fs'
import { contentTypeOf } from '../decode/content-type.ts'
import { readWarc } from '../warc/read.ts'
import { isResponse, responseOf } from '../warc/response.ts'
import type { BadInput, Input } from './input.ts'

/** Above any page; of what is longer only its length is looked at. */
const mostRecordBytes = 256_000_000

/** What a crawler fetches beside pages, and nobody here asked for. */
const notPages = /^(?:image|video|audio|font)\/|^text\/(?:css|javascript)$|^application\/(?:x-)?javascript$/

/** Recordings have it, and it is text. */
const robotsFile = /^https?:\/\/[^/]+\/robots\.txt$/i

/** The answers of a web archive that may be pages, one after the other: those that came well, and not their pictures. */
export async function* fromArchive(path: string): AsyncGenerator<Input | BadInput> {
  for await (const record of readWarc(createReadStream(path), isResponse, mostRecordBytes)) {
    if ('reason' in record) {
      yield { place: `${path}, byte ${record.atByte}`, reason: record.reason }
      continue
    }
    const found = responseOf(record)
    if (found === null || found.status < 200 || found.status > 299) continue
    const { url, at, status, headers, body } = found
    if (robotsFile.test(url)) continue
    const contentType = headers['content-type'] ?? ''
    if (notPages.test(contentTypeOf(contentType).essence)) continue
    const contentCoding = headers['content-encoding'] ?? ''
    yield {
      ...{ url, finalUrl: url, page: null, body, contentType, contentCoding, depth: 0, status, headers },
      ...(at !== '' && { at }),
    }
  }
}
