import { hashOf } from '../core/hash.ts'
import { urlKey } from '../core/url.ts'
import type { PageAudit } from '../core/wire.ts'
import type { Engine, Reading, ReadRequest } from '../extract/engine.ts'
import { isWithin } from '../extract/page-bounds.ts'
import type { PageRule } from '../extract/page-rule.ts'
import { differencesOf } from './differences.ts'

/**
 * Reads some of the pages a second time, by the parser that their rule has not chosen, and tells where the values
 * differ: whether `fast` is good enough is a question that only one's own pages answer.
 *
 * Which pages those are is decided by their URLs, so that a second run looks at the same ones. It is done under the
 * deadline of the page, and no page may end of it: what would cost a browser's rules much more than others is passed
 * over, and so is what cannot be read.
 */
export interface Audit {
  /** Null: this page is not looked at. */
  of(request: ReadRequest, page: string, askedUrl: string, reading: Reading): PageAudit | null
}

export interface AuditRules {
  readonly pages: readonly PageRule[]
  /** Which part of the pages is read twice, from 0 to 1. Default: none. */
  readonly audit?: number
}

/** Real pages stay far below all of them. */
const bounds = { depth: 500, attributes: 500 }
const mostCharacters = 2_000_000

/**
 * @param engineFor makes a page rule ready
 * @param cpuMs CPU time that this thread has used so far
 */
export function createAudit(rules: AuditRules, engineFor: (rule: PageRule) => Engine, cpuMs: () => number): Audit {
  const share = rules.audit ?? 0
  const others = new Map<string, Engine>()

  const otherEngineOf = (rule: PageRule): Engine => {
    const existing = others.get(rule.name)
    if (existing !== undefined) return existing
    const made = engineFor({ ...rule, parser: rule.parser === 'fast' ? 'browser' : 'fast' })
    others.set(rule.name, made)
    return made
  }

  const compare = (rule: PageRule, request: ReadRequest, reading: Reading): PageAudit['differences'] | null => {
    const { html } = request
    if (html.length > mostCharacters || !isWithin(html, bounds)) return null
    try {
      const other = otherEngineOf(rule).read(request)
      return rule.parser === 'fast' ? differencesOf(reading, other) : differencesOf(other, reading)
    } catch {
      return null
    }
  }

  return {
    of(request, page, askedUrl, reading) {
      if (share === 0 || hashOf(keyOf(askedUrl)) >= share) return null
      const rule = rules.pages.find(({ name }) => name === page)
      if (rule === undefined) return null
      const startMs = cpuMs()
      const differences = compare(rule, request, reading)
      return { page, url: askedUrl, cpuMs: cpuMs() - startMs, differences }
    },
  }
}

function keyOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : urlKey(parsed)
}
