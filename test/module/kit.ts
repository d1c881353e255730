import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadCpuMs } from '../../src/core/clock.ts'
import type { ParseReply, ParseRequest } from '../../src/core/wire.ts'
import { createMill } from '../../src/module/mill.ts'
import type { StageRules } from '../../src/stage/stage.ts'
import { readerRequest } from '../stage/requests.ts'

/** A folder of modules that goes when it is disposed. */
export interface Modules extends Disposable {
  /** Writes a module, and gives its path. */
  write(source: string, name?: string): string
}

export function temporaryModules(): Modules {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-module-'))
  let written = 0
  return {
    write(source, name = `module-${written}.ts`) {
      written += 1
      const path = join(folder, name)
      writeFileSync(path, source)
      return path
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

export const rulesFor = (module: string, differing: Partial<StageRules['pages'][number]> = {}): StageRules => ({
  pages: [{ name: 'page', match: null, item: null, follow: [], parser: 'fast', module, ...differing }],
  scope: { within: 'any', include: [], exclude: [], maxDepth: null },
  seedHosts: ['a.test'],
  bodyBytes: 10_000_000,
})

/** What a module makes of a page, in this thread. */
export const read = async (
  module: string,
  body: string,
  differing: Partial<ParseRequest> = {},
  rule: Partial<StageRules['pages'][number]> = {},
): Promise<ParseReply> => createMill(rulesFor(module, rule), { cpuMs: threadCpuMs }).run(readerRequest(body, differing))

export const messageOf = (reply: ParseReply): string =>
  reply.kind === 'faulted' ? `${reply.fault.code} ${reply.fault.message}` : 'parsed'
