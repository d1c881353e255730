import type { Attributes } from './attributes.ts'
import type { Chain, Combinator } from './chain.ts'
import { attributeOf, tagOf } from './compound.ts'
import { createTest, type Place, type Test } from './element-test.ts'
import type { TagNames } from './tag-names.ts'

/**
 * All selectors of a rule at once, over the elements as they open.
 *
 * Each compound of each selector is a *step*; an element takes a step when it fits the compound and the step before was
 * taken by an element that stands as the combinator wants: its parent, an ancestor, the sibling before it, or any
 * sibling before it. A last step is a match. All of these have opened before, so one pass decides exactly what a search
 * in the tree would.
 *
 * What is remembered of an element that took a step is not a bit but the number of the element that took the *first*
 * step of that selector, counted in the order of the page, and of several ways there the latest. A selector below a
 * scope begins at the scope or below it, in css-select's reading; since everything below an element is numbered from it
 * on, that is to say `start >= scope`. So one number serves all open scopes, however they nest.
 *
 * Per open element four rows of numbers are kept, -1 where no step was taken: its own, the latest of its own and its
 * ancestors', its last child's, and the latest of all of its children's. Steps are listed by tag name, and those without
 * one by an attribute that they need: an element nobody asks for costs the copy of a row.
 */
export interface Automaton {
  /** Adds a selector. Before reading only. */
  add(chain: Chain, target: number): void
  /** Whether attributes of such an element matter. */
  asksAttributes(tag: number): boolean
  /** Forgets the last page. */
  reset(): void
  /** An element has opened; its attributes and `place` are known. `depth` is 1 at the top. */
  open(tag: number, depth: number, number: number): void
}

/** What has matched: `target` as it was added, the number of the first step's element, and levels below the scope. */
export type OnMatch = (target: number, start: number, levelsBelowScope: number) => void

interface Step {
  readonly test: Test | null
  readonly combinator: Combinator | 'none'
  /** State that must have been reached before, and the one that is reached; -1: none. */
  readonly from: number
  readonly to: number
  readonly target: number
  readonly levelsBelowScope: number
}

interface AttributeSteps {
  /** -1: no attribute is needed. */
  readonly slot: number
  readonly steps: Step[]
}

const none: readonly Step[] = []

const rows = { own: 0, above: 1, last: 2, earlier: 3 } as const
const rowCount = 4

/** @param place filled in by whoever reads, before `open` */
export function createAutomaton(
  names: TagNames,
  attributes: Attributes,
  place: Readonly<Place>,
  onMatch: OnMatch,
): Automaton {
  const parts = { attributes, place, idOf: names.idOf }
  const byTag = new Map<number, Step[]>()
  const anyTag: AttributeSteps[] = []
  let steps: (readonly Step[])[] = []
  let states = 0
  let cells = new Int32Array(0)

  const cell = (depth: number, row: number, state: number): number =>
    cells[(depth * rowCount + row) * states + state] ?? -1

  const startOf = (step: Step, depth: number, number: number): number => {
    switch (step.combinator) {
      case 'none':
        return number
      case 'child':
        return cell(depth - 1, rows.own, step.from)
      case 'descendant':
        return cell(depth - 1, rows.above, step.from)
      case 'adjacent':
        return cell(depth - 1, rows.last, step.from)
      case 'sibling':
        return cell(depth - 1, rows.earlier, step.from)
      default:
        return step.combinator satisfies never
    }
  }

  const take = (list: readonly Step[], depth: number, number: number): void => {
    for (let index = 0; index < list.length; index += 1) {
      const step = list[index]
      if (step === undefined) return
      const start = startOf(step, depth, number)
      if (start < 0 || (step.test !== null && !step.test())) continue
      if (step.to < 0) onMatch(step.target, start, step.levelsBelowScope)
      else {
        const at = depth * rowCount * states + step.to
        if (start > (cells[at] ?? -1)) cells[at] = start
      }
    }
  }

  const startRows = (depth: number): void => {
    const size = rowCount * states
    const at = depth * size
    if (at + size > cells.length) {
      const grown = new Int32Array(Math.max(64 * size, cells.length * 2, at + size))
      grown.set(cells)
      cells = grown
    }
    cells.fill(-1, at, at + size)
  }

  const endRows = (depth: number): void => {
    const own = depth * rowCount * states
    const parent = own - rowCount * states
    for (let state = 0; state < states; state += 1) {
      const start = cells[own + state] ?? -1
      const above = cells[parent + rows.above * states + state] ?? -1
      cells[own + rows.above * states + state] = Math.max(start, above)
      cells[parent + rows.last * states + state] = start
      const earlier = parent + rows.earlier * states + state
      if (start > (cells[earlier] ?? -1)) cells[earlier] = start
    }
  }

  const addStep = (compound: Chain['compounds'][number], step: Step): void => {
    const tag = tagOf(compound)
    if (tag !== null) {
      const id = names.idOf(tag)
      byTag.set(id, [...(byTag.get(id) ?? []), step])
      return
    }
    const attribute = attributeOf(compound)
    const slot = attribute === null ? -1 : attributes.slotOf(attribute)
    const alike = anyTag.find(group => group.slot === slot)
    if (alike === undefined) anyTag.push({ slot, steps: [step] })
    else alike.steps.push(step)
  }

  return {
    add({ compounds, combinators, levelsBelowScope }, target) {
      for (const [index, compound] of compounds.entries()) {
        const isLast = index === compounds.length - 1
        // Listed by its name, an element need not be asked for it again.
        const name = compound.findIndex(({ type }) => type === 'tag')
        addStep(compound, {
          test: createTest(name < 0 ? compound : compound.toSpliced(name, 1), parts),
          combinator: combinators[index - 1] ?? 'none',
          from: index === 0 ? -1 : states - 1,
          to: isLast ? -1 : states,
          target,
          levelsBelowScope,
        })
        if (!isLast) states += 1
      }
    },
    asksAttributes: tag => anyTag.length > 0 || (steps[tag] ?? none).length > 0,
    reset() {
      if (steps.length === 0) steps = Array.from({ length: names.knownCount }, (_, id) => byTag.get(id) ?? none)
      if (states === 0) return
      // A page that nests deep must not leave its memory behind.
      if (cells.length > 4096 * rowCount * states) cells = new Int32Array(0)
      startRows(0)
    },
    open(tag, depth, number) {
      if (states > 0) startRows(depth)
      const named = steps[tag]
      if (named !== undefined && named.length > 0) take(named, depth, number)
      for (let index = 0; index < anyTag.length; index += 1) {
        const group = anyTag[index]
        if (group !== undefined && (group.slot < 0 || attributes.has(group.slot))) take(group.steps, depth, number)
      }
      if (states > 0) endRows(depth)
    },
  }
}
