import { readFile } from 'node:fs/promises'
import { MillraceError } from '../core/errors.ts'
import type { ProxySpec } from '../core/route.ts'
import type { ProxyLine, ProxySource, ProxyTraits } from '../job/job.ts'
import { proxyText, readProxy } from '../job/proxy-line.ts'

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

const refuse = (place: string, sentence: string, cause?: unknown): MillraceError =>
  new MillraceError('CONFIG_INVALID', `${place}: ${sentence}`, { cause })

const traitNames = ['region', 'weight', 'label']

/** `http://user:password@host:port region=de weight=2`, or the same as JSON. */
function lineOf(text: string, place: string): ProxyLine {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text) as ProxyLine
    } catch {
      throw refuse(place, 'this line begins like JSON and is none; expected {"url": "http://...", "region": "..."}')
    }
  }
  const [url = '', ...traits] = text.split(/\s+/)
  const entries = traits.map(trait => {
    const [name = '', value = ''] = trait.split('=', 2)
    if (!traitNames.includes(name)) throw refuse(place, `expected ${traitNames.join('=, ')}= after a proxy`)
    return [name, name === 'weight' ? Number(value) : value] as const
  })
  return { url, ...Object.fromEntries(entries) }
}

/** The line is never repeated: there is a password in it. */
function specOf(line: ProxyLine, traits: ProxyTraits, place: string): ProxySpec {
  const given: unknown = line
  const { url, region, weight, label } = typeof line === 'string' ? { url: line } : (line ?? {})
  const texts = [url, region ?? '', label ?? '']
  if (given === null || texts.some(text => typeof text !== 'string')) throw refuse(place, `expected ${proxyText}`)
  if (weight !== undefined && !(weight > 0 && weight <= 1_000))
    throw refuse(place, 'expected a weight above 0, at most 1000')
  const read = readProxy(line, traits)
  if (read.kind === 'wrong') throw refuse(place, `this is no proxy; expected ${read.accepted}`)
  return read.spec
}

function specsOf(text: string, traits: ProxyTraits, place: string, separator: RegExp): readonly ProxySpec[] {
  return text.split(separator).flatMap((part, index) => {
    const line = part.trim()
    const where = `${place}:${index + 1}`
    return line === '' || line.startsWith('#') ? [] : [specOf(lineOf(line, where), traits, where)]
  })
}

async function readSource(source: ProxySource, environment: Environment): Promise<readonly ProxySpec[]> {
  switch (source.kind) {
    case 'proxy':
      return [source.spec]
    case 'file': {
      const { path } = source
      const text = await readFile(path, 'utf8').catch(cause => {
        throw refuse('proxies.list', `${path} cannot be read; expected a file with a proxy a line`, cause)
      })
      return specsOf(text.replace(/^\uFEFF/, ''), source, path, /\r?\n/)
    }
    case 'env': {
      const text = environment[source.name]
      if (text === undefined || text.trim() === '')
        throw refuse(
          'proxies.list',
          `the environment has no ${source.name}; expected proxies in it, a comma between two`,
        )
      return specsOf(text, source, `environment ${source.name}`, /[,\n]/)
    }
    case 'function': {
      const lines = await source.read()
      if (!Array.isArray(lines)) throw refuse('proxies.list', 'the function gave no list of proxies')
      return lines.map((line, index) => specOf(line, source, `proxies.list: proxy ${index + 1} of the function`))
    }
    default:
      return source satisfies never
  }
}

/**
 * The proxies of a job, wherever they are written.
 * @throws CONFIG_INVALID a file or a variable cannot be read, or holds what is no proxy; never with the line itself
 */
export async function readProxyList(
  list: readonly ProxySource[],
  environment: Environment,
): Promise<readonly ProxySpec[]> {
  const specs: ProxySpec[] = []
  for (const source of list) specs.push(...(await readSource(source, environment)))
  if (list.length > 0 && specs.length === 0) throw refuse('proxies.list', 'there is no proxy in it')
  return specs
}

/** Proxies as the calls of a run name them. @throws CONFIG_INVALID */
export const proxySpecsOf = (lines: readonly ProxyLine[]): readonly ProxySpec[] =>
  lines.map((line, index) => specOf(line, { region: null, weight: 1 }, `proxies.add: proxy ${index + 1}`))
