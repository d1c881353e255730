import type { ExplainedPlan } from '../run/explained-plan.ts'
import { bold, dim, printable, tell } from './terminal.ts'

function sentenceOf({ engine, fields }: ExplainedPlan): string {
  const needing = fields.filter(field => field.engine === 'tree')
  if (engine === 'stream') return 'the stream engine reads it: all of it can be told from the tags as they come'
  if (needing.length === fields.length) return 'the tree engine reads it'
  const others = fields.length - needing.length === 1 ? 'the other one is' : 'the others are'
  return `the tree engine reads it, for ${needing.map(({ path }) => path).join(', ')}; ${others} read from the same tree`
}

const headings = ['field', 'selector', 'needs', 'because'] as const

export function tellPlan(page: string, plan: ExplainedPlan | null): void {
  tell(
    `Page rule ${bold(printable(page))}: ${printable(plan === null ? 'a module of the job reads it' : sentenceOf(plan))}.`,
  )
  if (plan !== null) tellFields(plan)
}

function tellFields({ fields }: ExplainedPlan): void {
  const rows = fields.map(({ path, selector, engine, reason }) =>
    [path, selector ?? '-', engine === 'stream' ? 'tags' : 'the tree', reason ?? ''].map(printable),
  )
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(row => Math.min(widest, row[column]?.length ?? 0))),
  )
  const lineOf = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()
  tell(dim(lineOf(headings)))
  for (const row of rows) tell(lineOf(row))
}

/** What is longer than this pushes the rest of its line aside, and not the rest of the table. */
const widest = 40
