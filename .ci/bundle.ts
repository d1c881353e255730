import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

/**
 * The JavaScript that is published: a few files in place of hundreds of modules, ours and those of packages, since finding,
 * reading and linking modules is most of a start, of the process and of every worker thread. Left alone are packages that
 * load files of their own, and those that are loaded late (`core/late-library.ts`).
 *
 *     node .ci/bundle.ts
 */
const root = join(import.meta.dirname, '..')
const out = join(root, 'dist')

const commands = ['src/index', 'src/cli/main', 'src/cli/bench-child']
/** Each by itself: a thread shares no module with another, and loads nothing that only another needs. */
const threads = readdirSync(join(root, 'workers')).map(name => `workers/${basename(name, '.ts')}`)

/** They start threads from files of theirs. */
const isLeft = (id: string): boolean => /^(node:|piscina$|pino$)/.test(id)

/** A module finds its neighbours by where it stands (`import.meta.url`), and goes on doing so from within a bundle. */
function keepPlaces(): Plugin {
  const place = /__PLACE_OF_(\w+)__/g
  return {
    name: 'keep-places',
    transform(code, id) {
      const path = relative(root, id)
      if (!/^(src|workers)\b/.test(path) || !code.includes('import.meta.url')) return null
      const hex = Buffer.from(path.replace(/\.ts$/, '.js').split(sep).join('/')).toString('hex')
      return { code: code.replaceAll('import.meta.url', `__PLACE_OF_${hex}__`) }
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('__PLACE_OF_')) return null
      const placed = code.replace(place, (_, hex: string) => {
        const path = relative(dirname(fileName), Buffer.from(hex, 'hex').toString()).split(sep).join('/')
        return `new URL(${JSON.stringify(path)}, import.meta.url).href`
      })
      return { code: placed }
    },
  }
}

/** All that is used of undici is its client, which is a third of it; its index loads the rest as well. */
function onlyClientOfUndici(): Plugin {
  const id = '\0undici-client'
  return {
    name: 'only-client-of-undici',
    resolveId: source => (source === 'undici' ? id : null),
    load: asked => (asked === id ? `export { default as Client } from 'undici/lib/dispatcher/client.js'` : null),
  }
}

async function bundle(entries: readonly string[], chunks: string): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(entry => [entry, `${entry}.ts`])),
    platform: 'node',
    external: isLeft,
    plugins: [keepPlaces(), onlyClientOfUndici()],
  })
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  })
  await build.close()
  return output.filter(file => file.type === 'chunk')
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** The packages that are in the bundles, with their licences, as those ask for. */
function licenceTexts(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap(id => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.at(0) ?? []))
  const texts = [...packages].toSorted().map(folder => {
    const { name, version, license }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(found => /^licen[cs]e(\.|$)/i.test(found))
    const text = file === undefined ? `Licence: ${license}.` : readFileSync(join(folder, file), 'utf8').trim()
    return `## ${name} ${version} (${license})\n\n${text}\n`
  })
  return `# Packages whose code is in the files of this folder\n\n${texts.join('\n')}`
}

const chunks = [await bundle(commands, 'src/chunks')]
for (const thread of threads) chunks.push(await bundle([thread], thread))
const modules = chunks.flat().flatMap(({ moduleIds }) => moduleIds)
writeFileSync(join(out, 'LICENCES.md'), licenceTexts(modules))
