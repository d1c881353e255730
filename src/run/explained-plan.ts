import type { PageRule } from '../extract/page-rule.ts'
import { type Plan, planOf } from '../extract/plan.ts'

/** Which engine reads a page rule, for those who ask why. */
export interface ExplainedPlan {
  /** What reads the whole rule: one pass for all fields. */
  readonly engine: Plan['engine']
  readonly fields: readonly ExplainedField[]
}

/** A field, or a selector of `follow`: by which engine it could be read, and why not by the faster one. */
export interface ExplainedField {
  readonly path: string
  readonly selector: string | null
  readonly engine: Plan['engine']
  /** Null: it streams. */
  readonly reason: string | null
}

/** Null: a module of the job reads the page, and what it does only it knows. */
export function explainPlan(rule: PageRule): ExplainedPlan | null {
  if (rule.module !== undefined) return null
  const plan = planOf(rule)
  const fields = plan.parts.map(({ path, selector, reason }): ExplainedField => {
    const why = reason ?? plan.reason
    return { path, selector, engine: why === null ? 'stream' : 'tree', reason: why }
  })
  return { engine: plan.engine, fields }
}
