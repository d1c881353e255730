import { aliases } from 'css-select'
import { isTraversal, parse, type Selector } from 'css-what'

/**
 * One compound of a selector ("a.next:first-child"): what it asks for, and whether that can be told when the tag of an
 * element has just been read. By then its name, its attributes, its ancestors and the siblings before it are known; what
 * needs to know more is refused, in words for the user.
 */

const nesting = new Set(['is', 'where', 'matches', 'not'])
const structural = new Set(['root', 'first-child', 'nth-child', 'first-of-type', 'nth-of-type'])
/** States of an element on a screen; no element of a page that is only read is in one. */
export const isNever = (pseudo: string): boolean => ['hover', 'visited', 'active'].includes(pseudo)
const lookAhead = new Set(
  'empty parent last-child nth-last-child only-child last-of-type nth-last-of-type only-of-type has contains icontains'.split(
    ' ',
  ),
)

/** Why tokens of one compound cannot be tested when the tag has been read; null: they can. */
export function compoundRefusal(tokens: readonly Selector[]): string | null {
  for (const token of tokens) {
    const reason = tokenRefusal(token)
    if (reason !== null) return reason
  }
  return null
}

function tokenRefusal(token: Selector): string | null {
  switch (token.type) {
    case 'tag':
    case 'universal':
    case 'attribute':
      return null
    case 'pseudo': {
      const { name, data } = token
      if (structural.has(name) || isNever(name)) return null
      if (lookAhead.has(name)) return `:${name} depends on what follows the element's tag`
      if (nesting.has(name) && Array.isArray(data)) return nestedRefusal(name, data)
      const alias = data === null ? aliasOf(name) : null
      return alias === null ? `:${name} is not about the element alone` : nestedRefusal(name, alias)
    }
    default:
      return 'combinators inside pseudo-classes speak of other elements'
  }
}

function nestedRefusal(name: string, selectors: readonly Selector[][]): string | null {
  for (const tokens of selectors) {
    const reason = tokens.some(isTraversal) ? `:${name} speaks of other elements too` : compoundRefusal(tokens)
    if (reason !== null) return reason
  }
  return null
}

/** The selectors that a pseudo-class stands for, or null. */
export const aliasOf = (name: string): Selector[][] | null => {
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  return alias === undefined ? null : parse(alias)
}

/** The name that an element must have, in lower case; null: any, as far as this token says. */
export const tagOf = (tokens: readonly Selector[]): string | null => {
  const tag = tokens.find(token => token.type === 'tag')
  return tag === undefined ? null : tag.name.toLowerCase()
}

/** An attribute that an element must have. */
export const attributeOf = (tokens: readonly Selector[]): string | null => {
  const attribute = tokens.find(token => token.type === 'attribute' && token.action !== 'not')
  return attribute?.type === 'attribute' ? attribute.name.toLowerCase() : null
}

/** Names of tags of a compound, also those inside of its pseudo-classes. */
export const tagsOf = (tokens: readonly Selector[]): string[] =>
  tokens.flatMap(token => {
    if (token.type === 'tag') return [token.name.toLowerCase()]
    if (token.type !== 'pseudo') return []
    const inside = Array.isArray(token.data) ? token.data : token.data === null ? aliasOf(token.name) : null
    return (inside ?? []).flatMap(tagsOf)
  })

/** True where a compound, or one inside it, counts siblings in the given way. */
export const countsSiblings = (tokens: readonly Selector[], way: 'child' | 'of-type'): boolean =>
  tokens.some(
    token =>
      token.type === 'pseudo' &&
      (Array.isArray(token.data) ? token.data.some(inside => countsSiblings(inside, way)) : token.name.endsWith(way)),
  )
