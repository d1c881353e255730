import { execFileSync } from 'node:child_process'

const root = new URL('..', import.meta.url)

/** The entry of the package as it is published. Named by its URL, for the types are there in a checkout without a build. */
export const distIndex = new URL('dist/src/index.js', root).href
export const distMain = new URL('dist/src/cli/main.js', root).pathname
export const distParseThread = new URL('dist/workers/parse.js', root)

/** Figures of a start are those of the package, not of a checkout whose TypeScript is read as it stands. */
export const buildDist = (): void => {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
