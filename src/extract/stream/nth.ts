/**
 * "An+B" of `:nth-child()` and `:nth-of-type()`, read as css-select reads it. A formula that it would refuse has been
 * refused before, when the selector was checked.
 */
export interface Nth {
  /** Whether it holds for an element with `before` siblings before it. */
  holds(before: number): boolean
  /** True for `n` alone, which css-select takes to ask for a parent element and nothing else. */
  readonly isEvery: boolean
}

const form = /^(?:([+-]?)(\d*)n[ \t\n\f\r]*(?:([+-]?)[ \t\n\f\r]*(\d+))?|([+-]?)(\d+))$/

export function nthOf(formula: string): Nth {
  const [step, first] = coefficientsOf(formula.trim().toLowerCase())
  const offset = first - 1
  const isEvery = step === 1 && offset < 0
  if (step === 0) return { holds: before => before === offset, isEvery }
  const size = Math.abs(step)
  const rest = ((offset % size) + size) % size
  return {
    holds: before => (step > 0 ? before >= offset : before <= offset) && before % size === rest,
    isEvery,
  }
}

function coefficientsOf(formula: string): readonly [step: number, first: number] {
  if (formula === 'even') return [2, 0]
  if (formula === 'odd') return [2, 1]
  const [, stepSign, step, sign, first, onlySign, only] = form.exec(formula) ?? []
  if (only !== undefined) return [0, signed(onlySign, only)]
  return [signed(stepSign, step === '' ? '1' : (step ?? '0')), signed(sign, first ?? '0')]
}

const signed = (sign: string | undefined, digits: string): number => (sign === '-' ? -Number(digits) : Number(digits))
