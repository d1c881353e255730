import { resolve } from 'node:path'
import { checkedSelector } from '../extract/check-item.ts'
import { defaultProxies } from './defaults.ts'
import type { BlockSignRule, GeoRule, ListProxies, ProxyRules, ProxySource, ProxyTraits } from './job.ts'
import { type Path, type Problems, pathText } from './problems.ts'
import type { BlockSignShape, ProxiesShape, ProxyEntryShape } from './proxies-shape.ts'
import { readProxy } from './proxy-line.ts'

const traitsOf = (written: {
  readonly region?: string | undefined
  readonly weight?: number | undefined
}): ProxyTraits => ({
  region: written.region ?? null,
  weight: written.weight ?? 1,
})

/** No message repeats what is written: there is a password in it. */
function checkEntry(written: ProxyEntryShape, baseDir: string, path: Path, problems: Problems): readonly ProxySource[] {
  const { url, from, env, label, region, weight } = typeof written === 'string' ? { url: written } : written
  const traits = traitsOf({ region, weight })
  if ([url, from, env].filter(given => given !== undefined).length !== 1) {
    problems.say(path, 'expected one of `url`, `from` and `env`')
    return []
  }
  if (label !== undefined && url === undefined) problems.say([...path, 'label'], 'a label is for one proxy, with `url`')
  if (from !== undefined) return [{ kind: 'file', path: resolve(baseDir, from), ...traits }]
  if (env !== undefined) return [{ kind: 'env', name: env, ...traits }]
  const read = readProxy({ url: url ?? '', ...(label !== undefined && { label }) }, traits)
  if (read.kind === 'proxy') return [read]
  problems.say(typeof written === 'string' ? path : [...path, 'url'], `this is no proxy; expected ${read.accepted}`)
  return []
}

function checkList(written: ProxiesShape['list'], baseDir: string, problems: Problems): readonly ProxySource[] {
  const path = ['proxies', 'list']
  if (written === undefined) return []
  // The shape lets nothing else through that is neither.
  if (typeof written === 'function') return [{ kind: 'function', read: written as ListProxies, ...traitsOf({}) }]
  if (Array.isArray(written))
    return written.flatMap((entry: ProxyEntryShape, index) => checkEntry(entry, baseDir, [...path, index], problems))
  return checkEntry(written as ProxyEntryShape, baseDir, path, problems)
}

function checkSign(written: BlockSignShape, path: Path, problems: Problems): BlockSignRule {
  const { selector = null, pattern = null, of = 'site' } = written
  if ((selector === null) === (pattern === null)) problems.refuse(path, written, 'either `selector` or `pattern`')
  if (selector !== null) problems.attempt(() => checkedSelector(selector, pathText([...path, 'selector'])))
  if (pattern !== null)
    try {
      new RegExp(pattern, 'iu')
    } catch {
      problems.refuse([...path, 'pattern'], pattern, 'a regular expression')
    }
  return { name: written.name ?? selector ?? pattern ?? '', selector, pattern, isLie: of === 'proxy' }
}

/** @param pages names of the page rules */
export function checkProxies(
  written: ProxiesShape | undefined,
  pages: readonly string[],
  baseDir: string,
  problems: Problems,
): ProxyRules {
  const { list, connection, rotation, perProxy, regions, geo, blockSigns = [], session } = written ?? {}
  if (typeof geo === 'object' && geo !== null)
    for (const page of Object.keys(geo))
      if (!pages.includes(page))
        problems.say(
          ['proxies', 'geo', page],
          `no page rule is called ${JSON.stringify(page)}; there is ${pages.join(', ')}`,
        )
  return {
    connection: connection ?? defaultProxies.connection,
    list: checkList(list, baseDir, problems),
    rotation: rotation ?? defaultProxies.rotation,
    perProxy: perProxy ?? defaultProxies.perProxy,
    regions: regions ?? [],
    geo: (geo as GeoRule | undefined) ?? null,
    blockSigns: blockSigns.map((sign, index) => checkSign(sign, ['proxies', 'blockSigns', index], problems)),
    session: {
      maxUses: session?.maxUses ?? defaultProxies.session.maxUses,
      maxAgeMs: session?.maxAgeMs ?? defaultProxies.session.maxAgeMs,
      maxBlocks: session?.maxBlocks ?? defaultProxies.session.maxBlocks,
    },
  }
}
