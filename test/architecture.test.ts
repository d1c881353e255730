import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => name.endsWith('.ts') && statSync(join(root, name)).isFile())

/** Comments say names too; a rule is about code. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')

interface Source {
  readonly path: string
  readonly folder: string
  readonly lines: number
  readonly code: string
  /** Paths from the root for our own files, package names for others. */
  readonly imports: readonly string[]
}

const sources: readonly Source[] = [...filesBelow('src'), ...filesBelow('workers')].map(path => {
  const text = readFileSync(join(root, path), 'utf8')
  const code = codeOf(text)
  const named = /(?:\bfrom\s*|\bimport\s*\(?\s*|\blateLibrary\b[^'"]*\(\s*)['"]([^'"]+)['"]/g
  const imports = [...code.matchAll(named)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)) : name,
  )
  const [top = '', folder = ''] = path.split('/')
  const isFolder = path.split('/').length > 2
  return {
    path,
    folder: top === 'workers' ? 'workers' : isFolder ? folder : 'root',
    lines: text.split('\n').length,
    code,
    imports,
  }
})

const folderOf = (path: string): string =>
  sources.find(source => source.path === path)?.folder ?? path.split('/')[0] ?? ''

const pure = ['limit', 'pace', 'extract', 'decode', 'scope', 'stage', 'analyse', 'warc']
/** The file of each folder that others may name: its contract. */
const contracts = [
  'src/gate/permit.ts',
  'src/robots/robots.ts',
  'src/proxy/lease.ts',
  'src/cookies/cookies.ts',
  'src/cache/cache.ts',
  'src/fetch/fetcher.ts',
  'src/parse/parser.ts',
  'src/frontier/frontier.ts',
  'src/sink/sink.ts',
  'src/job/job.ts',
]
const effects = ['gate', 'robots', 'proxy', 'cookies', 'cache', 'fetch', 'replay', 'parse', 'frontier', 'sink']

/** Which folders a folder may import, beside itself and `core`. docs/architecture.md tells why. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  limit: [],
  pace: [],
  extract: [],
  decode: [],
  scope: [],
  analyse: [],
  warc: [],
  stage: ['warc', 'extract', 'decode', 'scope'],
  module: ['warc', 'stage', 'extract', 'decode', 'scope'],
  workers: ['stage', 'parse', 'module', 'frontier', 'cache', 'sink', 'replay'],
  gate: pure,
  robots: pure,
  proxy: pure,
  cookies: [],
  cache: pure,
  fetch: pure,
  replay: pure,
  parse: [...pure, 'module'],
  frontier: pure,
  sink: pure,
  observe: ['analyse'],
  report: ['observe', 'analyse'],
  log: [],
  job: pure,
  crawl: pure,
  demo: [],
  root: ['*'],
  run: ['*'],
  bench: ['*'],
  cli: ['root', 'run', 'bench', 'job', 'log', 'observe', 'demo'],
}

describe('imports go one way', () => {
  for (const source of sources) {
    test(source.path, () => {
      const allowed = mayImport[source.folder]
      expect(allowed, `folder ${source.folder} has no rule`).toBeDefined()
      for (const path of source.imports.filter(
        name => name.includes('/') && /^(src|workers|test|bench)\//.test(name),
      )) {
        const folder = folderOf(path)
        const isOwn =
          folder === source.folder || folder === 'core' || allowed?.includes('*') || allowed?.includes(folder)
        expect(isOwn || contracts.includes(path), `${source.path} must not import ${path}`).toBe(true)
        expect(path, 'nothing in src or workers imports test or bench').not.toMatch(/^(test|bench)\//)
        if (source.folder !== 'cli') expect(folder, 'nothing imports cli').not.toBe('cli')
      }
    })
  }

  test('effect folders never see each other', () => {
    for (const source of sources.filter(({ folder }) => effects.includes(folder)))
      for (const path of source.imports.filter(name => /^src\//.test(name))) {
        const folder = folderOf(path)
        if (folder !== source.folder && effects.includes(folder)) expect(contracts, source.path).toContain(path)
      }
  })

  test('there are no cycles', () => {
    const byPath = new Map(sources.map(source => [source.path, source]))
    const done = new Set<string>()
    const walk = (path: string, trail: readonly string[]): void => {
      expect(trail, [...trail, path].join(' -> ')).not.toContain(path)
      if (done.has(path)) return
      for (const next of byPath.get(path)?.imports ?? []) if (byPath.has(next)) walk(next, [...trail, path])
      done.add(path)
    }
    for (const source of sources) walk(source.path, [])
  })
})

describe('each thing from outside is known in one place', () => {
  const homes: Readonly<Record<string, readonly string[]>> = {
    undici: ['fetch'],
    'tough-cookie': ['cookies'],
    piscina: ['parse', 'workers'],
    'p-limit': ['parse'],
    pino: ['log'],
    // `$` is what user modules are promised.
    cheerio: ['extract', 'module'],
    'cheerio/slim': ['extract', 'module'],
    htmlparser2: ['extract'],
    parse5: ['extract'],
    'css-select': ['extract'],
    yaml: ['job'],
    zod: ['job'],
    'hyparquet-writer': ['sink'],
    'node:sqlite': ['frontier', 'cache'],
    commander: ['cli'],
    tldts: ['scope'],
    re2js: ['core'],
    '@exodus/bytes': ['decode'],
    'json-p3': ['extract'],
    xpath: ['extract'],
    linkedom: ['extract'],
    turndown: ['extract'],
    '@mozilla/readability': ['extract'],
  }
  for (const [name, folders] of Object.entries(homes))
    test(`${name} only in ${folders.join(', ')}`, () => {
      for (const source of sources.filter(({ imports }) =>
        imports.some(found => found === name || found.startsWith(`${name}/`)),
      ))
        expect(folders, source.path).toContain(source.folder)
    })

  test('time and chance only in core/clock.ts', () => {
    for (const source of sources.filter(
      ({ path, folder }) => path !== 'src/core/clock.ts' && folder !== 'demo' && folder !== 'cli',
    ))
      expect(source.code, source.path).not.toMatch(
        /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval)\(|\bMath\.random\b|timers\/promises/,
      )
  })

  test('the console, the environment and the exit code only in cli; of the environment options of Node in core', () => {
    for (const source of sources.filter(({ path, folder }) => folder !== 'cli' && path !== 'src/core/node-options.ts'))
      expect(source.code, source.path).not.toMatch(/\bconsole\.|\bprocess\.(env|exit|exitCode|argv|stdout|stderr|on)\b/)
  })
})

describe('files stay readable', () => {
  test('no file is above 300 lines, and few are above 200', () => {
    for (const source of sources) expect(source.lines, source.path).toBeLessThanOrEqual(301)
    const long = sources.filter(source => source.lines > 200).map(source => source.path)
    expect(long.length, long.join(', ')).toBeLessThanOrEqual(Math.ceil(sources.length / 10))
  })

  test('the source has no any, no non-null assertion and no default export', () => {
    for (const source of sources) {
      expect(source.code, source.path).not.toMatch(/:\s*any\b|\bas any\b|<any>/)
      expect(source.code, source.path).not.toMatch(/export default(?! async function| function)/)
    }
  })
})
