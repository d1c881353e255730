import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Coding = 'br' | 'gzip' | 'identity'

const preferred: readonly Coding[] = ['br', 'gzip', 'identity']

/** The coding that an Accept-Encoding header likes best (RFC 9110, 12.5.3); ties go to the smaller one. */
export function codingFor(acceptEncoding: string): Coding {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim())
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name, quality === undefined ? 1 : Number(quality) || 0)
  }
  // Identity is always acceptable unless refused, and never better than a coding that was named.
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'identity' ? 0.001 : (weights.get('*') ?? 0))
  const best = [...preferred].sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity'
  return weightOf(best) > 0 ? best : 'identity'
}

const brotli = promisify(brotliCompress)
const deflated = promisify(gzip)

/** Off the main thread, and with little effort: the site shares its machine with the crawl that it is there for. */
export async function encode(body: Uint8Array, coding: Coding): Promise<Uint8Array> {
  switch (coding) {
    case 'br':
      return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    case 'gzip':
      return deflated(body)
    case 'identity':
      return body
    default:
      return coding satisfies never
  }
}
