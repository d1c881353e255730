import type { Engine, ReadRequest } from '../engine.ts'
import type { PageRule } from '../page-rule.ts'
import { createTreeEngine } from '../tree-engine.ts'
import { createProgram, type Program, type StreamReading } from './program.ts'

export interface StreamEngine extends Engine {
  readonly name: 'stream'
  read(request: ReadRequest): StreamReading
}

/**
 * The engine that builds no tree: selectors run on the tags as they come, and reading stops where nothing more can be
 * found. It finds what the tree engine finds with the `fast` parser, byte for byte, for the rules that `planOf` gives
 * to it. Only `baseUrl` may be the page's own where neither a field nor a link needed it and reading stopped before a
 * `<base>`. A page that holds what only a tree can tell (markup of HTML inside of SVG) is read again by the tree engine.
 */
export function createStreamEngine(rule: PageRule): StreamEngine {
  const programs = new Map<boolean, Program>()
  let tree: Engine | null = null
  return {
    name: 'stream',
    read(request) {
      const { wantLinks } = request
      let program = programs.get(wantLinks)
      if (program === undefined) {
        program = createProgram(rule, wantLinks)
        programs.set(wantLinks, program)
      }
      const reading = program.read(request)
      if (reading !== null) return reading
      tree ??= createTreeEngine(rule)
      return { ...tree.read(request), readLength: request.html.length }
    },
  }
}
