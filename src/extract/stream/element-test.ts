import { _compileToken, type Options } from 'css-select'
import type { AttributeSelector, Selector } from 'css-what'
import type { Attributes } from './attributes.ts'
import { aliasOf, isNever } from './compound.ts'
import { nthOf } from './nth.ts'

/** A compound as a test of the element whose tag has just been read, with the meaning that css-select gives to it. */
export type Test = () => boolean

/** What is known of the element that opens, beside its attributes. */
export interface Place {
  tag: number
  /** False: it is below another element. */
  isTop: boolean
  /** How many elements of the same parent are before it, and how many of these have its name. */
  siblingsBefore: number
  alikeBefore: number
}

/** What tests are made from. */
export interface TestParts {
  readonly attributes: Attributes
  readonly place: Readonly<Place>
  idOf(tag: string): number
}

const both = (tests: readonly Test[]): Test => {
  const [first, second, ...rest] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  const others = both([second, ...rest])
  return () => first() && others()
}

const either = (tests: readonly Test[]): Test => {
  const [first, second, ...rest] = tests
  if (first === undefined) return () => false
  if (second === undefined) return first
  const others = either([second, ...rest])
  return () => first() || others()
}

/** All tokens but the name, which is known where the test is asked; null: there are none. */
export function createTest(tokens: readonly Selector[], parts: TestParts): Test | null {
  const tests = tokens.filter(({ type }) => type !== 'universal').map(token => createTokenTest(token, parts))
  return tests.length === 0 ? null : both(tests)
}

function createTokenTest(token: Selector, parts: TestParts): Test {
  const { place } = parts
  switch (token.type) {
    case 'tag': {
      const id = parts.idOf(token.name.toLowerCase())
      return () => place.tag === id
    }
    case 'attribute':
      return createAttributeTest(token, parts.attributes)
    case 'pseudo':
      return createPseudoTest(token.name, token.data, parts)
    default:
      return () => true
  }
}

function createPseudoTest(name: string, data: string | Selector[][] | null, parts: TestParts): Test {
  const { place } = parts
  if (isNever(name)) return () => false
  const inside = Array.isArray(data) ? data : data === null ? aliasOf(name) : null
  if (inside !== null) {
    const test = either(inside.map(tokens => createTest(tokens, parts) ?? (() => true)))
    return name === 'not' ? () => !test() : test
  }
  switch (name) {
    case 'root':
      return () => place.isTop
    case 'first-child':
      return () => place.siblingsBefore === 0
    case 'first-of-type':
      return () => place.alikeBefore === 0
    default: {
      const nth = nthOf(String(data))
      if (nth.isEvery) return () => !place.isTop
      return name === 'nth-child' ? () => nth.holds(place.siblingsBefore) : () => nth.holds(place.alikeBefore)
    }
  }
}

function createAttributeTest(token: AttributeSelector, attributes: Attributes): Test {
  const slot = attributes.slotOf(token.name.toLowerCase())
  const { action, value } = token
  if (action === 'exists') return () => attributes.has(slot)
  if (action === 'element' && token.ignoreCase === 'quirks' && !/\s/.test(value))
    return () => hasWord(attributes.valueOf(slot), value)
  // Any other by css-select's own rules, of which there are many.
  const test: (element: unknown) => boolean = _compileToken([[token]], { adapter: adapterFor(attributes, slot) })
  return () => test(null)
}

function adapterFor(attributes: Attributes, slot: number): NonNullable<Options<unknown, unknown>['adapter']> {
  const unused = (): never => {
    throw new Error('an attribute is asked for nothing else')
  }
  return {
    getAttributeValue: () => attributes.valueOf(slot) ?? undefined,
    hasAttrib: () => attributes.has(slot),
    isTag: (_node: unknown): _node is unknown => true,
    existsOne: unused,
    findAll: unused,
    findOne: unused,
    getChildren: unused,
    getName: unused,
    getParent: unused,
    getSiblings: unused,
    getText: unused,
    removeSubsets: unused,
  }
}

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(String.fromCharCode(code)))

/** As a class: one of the words of the text. `charCodeAt` past an end is NaN, which is no letter of a word either. */
function hasWord(text: string | null, word: string): boolean {
  if (text === null) return false
  if (text === word) return true
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    if ((at === 0 || isSpace(text.charCodeAt(at - 1))) && (end === text.length || isSpace(text.charCodeAt(end))))
      return true
  }
  return false
}
