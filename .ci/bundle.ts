import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

/**
 * The JavaScript that is published: a few files in place of hundreds of modules, ours and those of packages, since finding,
 * reading and linking modules is most of a start, of the process and of every worker thread. Left alone are files that
 * threads start from, and packages that are loaded late (`core/late-library.ts`).
 *
 *     node .ci/bundle.ts [the folder to write, dist]
 */
const root = join(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'dist'))

const library = 'src/index'
const commands = [library, 'src/cli/main', 'src/cli/bench-child']
/** Each by itself: a thread shares no module with another, and loads nothing that only another needs. */
const threads = readdirSync(join(root, 'workers')).map(name => `workers/${basename(name, '.ts')}`)

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

/**
 * All that is used of undici is its client, which is a third of it; its index loads the rest as well. And of the client no
 * HTTP/2, which is spoken by `fetch/h2/`: Node's own part of that is among the slowest of its modules to load. What it
 * loads in rare cases stays where it is: bodies of requests, another parser, and machines without SIMD.
 */
function onlyClientOfUndici(): Plugin {
  const client = '\0undici-client'
  const noHttp2 = '\0undici-no-http2'
  const rare = /(?:^|\/)(?:web\/(?:fetch|webidl)|milo|llhttp\/llhttp-wasm)(?:\/|\.js|$)/
  return {
    name: 'only-client-of-undici',
    resolveId(source, importer = '') {
      if (source === 'undici') return client
      const [, from] = /node_modules[\\/](undici[\\/]lib[\\/].+)$/.exec(importer) ?? []
      if (from === undefined) return null
      if (source === './client-h2.js') return noHttp2
      return rare.test(source) ? { id: posix.join(dirname(from).replaceAll('\\', '/'), source), external: true } : null
    },
    load(id) {
      if (id === client) return `export { default as Client } from 'undici/lib/dispatcher/client.js'`
      return id === noHttp2 ? `module.exports = () => { throw new Error('HTTP/2 is not spoken here') }` : null
    },
  }
}

/**
 * The tables of character references are decoded from base64 when they are loaded, in a loop that nothing has compiled yet;
 * here by Node itself.
 */
function nativeBase64(): Plugin {
  const decode = `export const decodeBase64 = text => new Uint16Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)`
  return {
    name: 'native-base64',
    transform(code, id) {
      if (!/[\\/]entities[\\/]dist[\\/]esm[\\/]internal[\\/]decode-shared\.js$/.test(id)) return null
      const exported = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name)
      if (exported.join() !== 'decodeBase64')
        throw new Error(`${id} exports other things than decodeBase64: ${exported}`)
      return { code: decode }
    },
  }
}

/** Piscina starts a thread from a file of its own, which stays where it is. */
function fromFileOfPiscina(): Plugin {
  return {
    name: 'from-file-of-piscina',
    transform(code, id) {
      if (!/[\\/]piscina[\\/]dist[\\/]index\.js$/.test(id)) return null
      const place = `__dirname, 'worker.js'`
      if (!code.includes(place)) throw new Error(`${id} has its thread in another place than ${place}`)
      return { code: code.replace(place, `require.resolve('piscina'), '..', 'worker.js'`) }
    },
  }
}

/**
 * A thread needs the marks of Piscina that its results carry, which belong to the very files of Piscina that started it and
 * are loaded there; its index loads the pool as well, in each thread.
 */
function onlyMarksOfPiscina(): Plugin {
  const marks = '\0piscina-marks'
  return {
    name: 'only-marks-of-piscina',
    resolveId: source => (source === 'piscina' ? marks : null),
    load: id =>
      id !== marks
        ? null
        : `import { createRequire } from 'node:module'
import { dirname } from 'node:path'
const load = createRequire(import.meta.url)
const folder = dirname(load.resolve('piscina'))
const { markMovable } = load(folder + '/common.js')
export const { kTransferable: transferableSymbol, kValue: valueSymbol } = load(folder + '/symbols.js')
export function move(value) {
  markMovable(value)
  return value
}`,
  }
}

async function bundle(entries: readonly string[], chunks: string, piscina: Plugin): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(entry => [entry, `${entry}.ts`])),
    platform: 'node',
    external: /^node:/,
    plugins: [keepPlaces(), onlyClientOfUndici(), nativeBase64(), piscina],
  })
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: ({ name }) => `${name === library ? `${name}-whole` : name}.js`,
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  })
  await build.close()
  return output.filter(file => file.type === 'chunk')
}

/**
 * What `import` and `require` find. An older Node fails as it reads the library, with a message that helps nobody: so it is
 * told what is wanted by files that it can read. Neither waits for the library: what imports a module that waits cannot be
 * required.
 */
function writeEntries({ exports, fileName }: OutputChunk): void {
  const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const [needed] = /\d+/.exec(engines.node) ?? []
  const from = `./${basename(fileName)}`
  const guard = `if (Number(process.versions.node.split('.')[0]) < ${needed})
  throw new Error(\`Millrace needs Node ${needed} or newer; this is Node \${process.versions.node}.\`)
`
  writeFileSync(
    join(out, `${library}.js`),
    `import { createRequire } from 'node:module'
${guard}export const { ${exports.join(', ')} } = createRequire(import.meta.url)('${from}')
`,
  )
  writeFileSync(join(out, `${library}.cjs`), `${guard}module.exports = require('${from}')\n`)
  writeFileSync(join(out, `${library}.d.cts`), typesForRequire(exports))
}

/** To TypeScript the types of an ES module are none of what is required, unless they are said to be. */
function typesForRequire(exports: readonly string[]): string {
  const mode = `with { 'resolution-mode': 'import' }`
  const values = exports.map(name => `export declare const ${name}: typeof whole.${name}\n`)
  const classes = exports.filter(name => /^[A-Z]/.test(name)).map(name => `export type ${name} = whole.${name}\n`)
  const whole = `import type * as whole from './index.js' ${mode}\nexport type * from './index.js' ${mode}\n`
  return [whole, ...values, ...classes].join('')
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

const chunks = [await bundle(commands, 'src/chunks', fromFileOfPiscina())]
for (const chunk of chunks.flat()) if (chunk.name === library) writeEntries(chunk)
for (const thread of threads) chunks.push(await bundle([thread], thread, onlyMarksOfPiscina()))
const modules = chunks.flat().flatMap(({ moduleIds }) => moduleIds)
writeFileSync(join(out, 'LICENCES.md'), licenceTexts(modules))
