import type { ParseReply, ParseRequest } from '../core/wire.ts'
import { createLinkRouter } from '../stage/link-router.ts'
import { createStage, type StageRules } from '../stage/stage.ts'
import { pageRecords } from '../warc/page-records.ts'
import type { Guard, ModuleReader } from './module-reader.ts'
import { type ModuleRule, moduleRulesOf } from './module-rules.ts'

/** All that a job does to pages: the parse stage, and the user's modules beside it. Workers and the inline parser run it. */
export interface Mill {
  /**
   * Loads the modules of the job, once, one after the other: whoever ends its thread, or never ends, is known.
   * @param begins told which of the rules with a module is next
   * @throws CONFIG_INVALID one cannot be loaded, or exports no `parse`
   */
  load(begins?: (nth: number) => void): Promise<void>
  /**
   * What is wrong with a page is a fault in the reply. A promise only where a module reads the page.
   * @throws CONFIG_INVALID as `load`
   */
  run(request: ParseRequest): ParseReply | Promise<ParseReply>
  /** True where a user's module reads pages of this rule. */
  isModule(page: string): boolean
}

export interface MillOptions {
  /** CPU time that this thread has used so far. */
  readonly cpuMs: () => number
  /** Left out: what modules throw beside their call is nobody's but the process's. */
  readonly guard?: Guard
}

const unguarded: Guard = call => call()

/** @throws CONFIG_INVALID a URL pattern of the rules is malformed */
export function createMill(rules: StageRules, { cpuMs, guard = unguarded }: MillOptions): Mill {
  const stage = createStage(rules, cpuMs)
  const links = createLinkRouter(rules)
  const moduleRules = new Map(moduleRulesOf(rules).map(rule => [rule.name, rule]))
  const readers = new Map<string, Promise<ModuleReader>>()

  function readerOf(rule: ModuleRule): Promise<ModuleReader> {
    const loading = readers.get(rule.name) ?? makeReader(rule)
    readers.set(rule.name, loading)
    return loading
  }

  async function makeReader(rule: ModuleRule): Promise<ModuleReader> {
    // Brings cheerio: most jobs have no module, and every thread would load it.
    const { createModuleReader } = await import('./module-reader.ts')
    return createModuleReader({ rule, rules, links, guard })
  }

  async function runModule(rule: ModuleRule, request: ParseRequest): Promise<ParseReply> {
    const startMs = cpuMs()
    const read = await readerOf(rule)
    const reply = await read(request)
    return { ...reply, cpuMs: cpuMs() - startMs }
  }

  return {
    async load(begins = () => {}) {
      for (const [nth, rule] of moduleRulesOf(rules).entries()) {
        begins(nth)
        await readerOf(rule)
      }
    },
    run(request) {
      const rule = moduleRules.get(request.page)
      if (rules.archive === undefined) return rule === undefined ? stage.run(request) : runModule(rule, request)
      // Before the page is read: what a user's code does to it is not what came.
      const startMs = cpuMs()
      const record = pageRecords(request, rules.archive)
      const ownMs = cpuMs() - startMs
      const withRecord = (reply: ParseReply): ParseReply => ({ ...reply, record, cpuMs: reply.cpuMs + ownMs })
      return rule === undefined ? withRecord(stage.run(request)) : runModule(rule, request).then(withRecord)
    },
    isModule: page => moduleRules.has(page),
  }
}
