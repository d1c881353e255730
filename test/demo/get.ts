import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { legacyHookDecode } from '@exodus/bytes/encoding.js'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As it came off the wire. */
  readonly body: Buffer
}

const agent = new Agent({ keepAlive: false })

/** Asks 127.0.0.1 whatever the host is called, so that no resolver has a say in a test. */
export function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { host, port, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, method, host: '127.0.0.1', port, path: pathname + search, headers: { host, ...headers } },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

/** The bytes that were coded. */
export function decoded({ headers, body }: Answer): Buffer {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(body)
    case 'gzip':
      return gunzipSync(body)
    default:
      return body
  }
}

/** The text by the charset of the header, else of the meta element, else UTF-8. */
export function textOf(answer: Answer): string {
  const bytes = decoded(answer)
  const [, charset] =
    /charset=([\w-]+)/i.exec(answer.headers['content-type'] ?? '') ??
    /<meta charset="([\w-]+)"/.exec(bytes.toString('latin1').slice(0, 1_024)) ??
    []
  return legacyHookDecode(bytes, charset ?? 'utf-8')
}
