import { withoutCredentials } from '../core/url.ts'
import type { PageAudit } from '../core/wire.ts'

/** A field whose values depend on the parser. */
export interface AuditedField {
  /** Name of the page rule. */
  readonly page: string
  readonly path: string
  /** On how many of the pages. */
  readonly differing: number
  readonly exampleUrl: string
  /** What is found there, as JSON, cut where it is long. */
  readonly fast: string
  readonly browser: string
}

/** `audit` of the report: what the two ways to read HTML make of the same pages. */
export interface AuditReport {
  /** Pages that both have read. */
  readonly pages: number
  /** Pages on which a browser's rules would have taken too long. */
  readonly skipped: number
  /** What the second readings cost. */
  readonly cpuMs: number
  /** Those that differ on most pages first. */
  readonly fields: readonly AuditedField[]
}

export interface AuditTally {
  add(audit: PageAudit): void
  report(): AuditReport
}

/** More would help nobody; pages can make field names up (JSON inside of pages). */
const mostFields = 500

export function createAuditTally(): AuditTally {
  const fields = new Map<string, AuditedField>()
  let [pages, skipped, cpuMs] = [0, 0, 0]
  return {
    add({ page, url, cpuMs: auditMs, differences }) {
      cpuMs += auditMs
      if (differences === null) {
        skipped += 1
        return
      }
      pages += 1
      for (const difference of differences) {
        const key = `${page} ${difference.path}`
        const known = fields.get(key)
        if (known !== undefined) fields.set(key, { ...known, differing: known.differing + 1 })
        else if (fields.size < mostFields)
          fields.set(key, { page, ...difference, differing: 1, exampleUrl: withoutCredentials(url) })
      }
    },
    report: () => ({
      pages,
      skipped,
      cpuMs: Math.round(cpuMs * 10) / 10,
      fields: [...fields.values()].sort((a, b) => b.differing - a.differing),
    }),
  }
}
