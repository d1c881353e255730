import { isTraversal, parse, type Selector } from 'css-what'
import { isPositional, someToken } from '../selector.ts'
import { compoundRefusal, tagOf } from './compound.ts'
import { unwrittenTags } from './html-rules.ts'

export type Combinator = 'child' | 'descendant' | 'adjacent' | 'sibling'

/** One selector of a list: compounds from left to right, and what is between them. */
export interface Chain {
  readonly compounds: readonly (readonly Selector[])[]
  /** One less than compounds. */
  readonly combinators: readonly Combinator[]
  /** "> a": how many levels below its scope a match is. Zero: the selector does not begin at its scope. */
  readonly levelsBelowScope: number
}

/** Where a selector is asked: over the whole page, or below the element of a group. */
export type ChainScope = 'page' | 'element'

const combinators: ReadonlySet<string> = new Set(['child', 'descendant', 'adjacent', 'sibling'])
const isCombinator = (type: string): type is Combinator => combinators.has(type)

/** Why a selector cannot be followed tag by tag, in words for the user; null: it can. */
export function selectorRefusal(selector: string, scope: ChainScope): string | null {
  const selectors = parse(selector)
  if (selectors.some(tokens => tokens.some(isPositional))) return 'positions such as :first and :eq() count all matches'
  if (someToken(selectors, token => token.type === 'pseudo' && token.name === 'scope'))
    return ':scope is left to the tree'
  for (const tokens of selectors) {
    const reason = startRefusal(tokens, scope) ?? tokensRefusal(tokens)
    if (reason !== null) return reason
  }
  return null
}

function startRefusal(tokens: readonly Selector[], scope: ChainScope): string | null {
  const [first, ...others] = tokens
  if (first === undefined || !isTraversal(first)) return null
  if (scope === 'page') return 'a selector of the whole page has nothing before it to begin at'
  if (first.type !== 'child') return 'siblings of the element of a group follow its end'
  return others.some(({ type }) => type === 'descendant')
    ? 'a selector that begins with ">" may go on with children and siblings only'
    : null
}

function tokensRefusal(tokens: readonly Selector[]): string | null {
  const other = tokens.find(token => isTraversal(token) && !isCombinator(token.type))
  if (other !== undefined) return 'the parent combinator looks ahead'
  return compoundRefusal(tokens.filter(token => !isTraversal(token)))
}

/** What `selectorRefusal` has nothing against. */
export const chainsOf = (selector: string): readonly Chain[] => parse(selector).map(chainOf)

function chainOf(tokens: readonly Selector[]): Chain {
  const compounds: Selector[][] = [[]]
  const between: Combinator[] = []
  for (const token of tokens)
    if (isCombinator(token.type)) {
      between.push(token.type)
      compounds.push([])
    } else compounds.at(-1)?.push(token)
  const startsAtScope = compounds[0]?.length === 0
  return {
    compounds: startsAtScope ? compounds.slice(1) : compounds,
    combinators: startsAtScope ? between.slice(1) : between,
    levelsBelowScope: startsAtScope ? between.filter(type => type === 'child').length : 0,
  }
}

/** The names of all elements that selectors can match, each of which must stand in the page; null: it cannot be said. */
export function endTags(chains: readonly Chain[]): readonly string[] | null {
  const tags: string[] = []
  for (const { compounds } of chains) {
    const tag = tagOf(compounds.at(-1) ?? [])
    if (tag === null || unwrittenTags.includes(tag)) return null
    tags.push(tag)
  }
  return tags
}
