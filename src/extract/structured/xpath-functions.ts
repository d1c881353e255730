import { linearRegexOf } from '../../core/linear-regex.ts'
import { attributeOf } from '../dom/attribute-store.ts'
import { isElement } from '../dom/node.ts'
import type { XPathFunction, XPathOptions } from './xpath-contract.ts'
import { nextOutside, type ViewNode } from './xpath-view.ts'

/**
 * What Scrapy's selectors know beside XPath 1.0, `has-class()` and the regular expressions of EXSLT; and `id()`, for which
 * the library wants more of a DOM than there is.
 */

const regexNamespace = 'http://exslt.org/regular-expressions'

const hasClass: XPathFunction = ({ contextNode: { source } }, ...names) => {
  const written = source !== null && isElement(source) ? attributeOf(source, 'class') : null
  const classes = new Set(written?.split(/\s+/))
  return names.every(name => classes.has(name.stringValue()))
}

const patterns = new Map<string, Pick<RegExp, 'test'>>()
const rememberedPatterns = 100

/** Flags of EXSLT: `g` changes nothing here, `i` ignores letter case. */
function regexOf(source: string, flags: string): Pick<RegExp, 'test'> {
  const wanted = flags.includes('i') ? 'iu' : 'u'
  const key = `${wanted}/${source}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const made = linearRegexOf(source, wanted) ?? new RegExp(source, wanted)
  if (patterns.size < rememberedPatterns) patterns.set(key, made)
  return made
}

/** The first element of each of these ids. */
const id: XPathFunction = ({ contextNode }, ids) => {
  const wanted = new Set(ids?.stringValue().split(/\s+/))
  const found: ViewNode[] = []
  let node: ViewNode | null = contextNode.ownerDocument ?? contextNode
  for (; node !== null && wanted.size > 0; node = node.firstChild ?? nextOutside(node)) {
    const { source } = node
    const own = source !== null && isElement(source) ? attributeOf(source, 'id') : null
    if (own !== null && wanted.delete(own)) found.push(node)
  }
  return found
}

const test: XPathFunction = (_, text, pattern, flags) => {
  if (text === undefined || pattern === undefined)
    throw new Error('Function test expects (string, pattern) or (string, pattern, flags)')
  return regexOf(pattern.stringValue(), flags?.stringValue() ?? '').test(text.stringValue())
}

export const xpathFunctions: Pick<XPathOptions, 'namespaces' | 'functions'> = {
  namespaces: prefix => (prefix === 're' ? regexNamespace : undefined),
  functions(name, namespace) {
    if (namespace === '' && (name === 'has-class' || name === 'id')) return name === 'id' ? id : hasClass
    return name === 'test' && namespace === regexNamespace ? test : undefined
  },
}
