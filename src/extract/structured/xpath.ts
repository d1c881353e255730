import { messageOf } from '../../core/errors.ts'
import type { JsonValue } from '../../core/wire.ts'
import { invalid, refuse, shown } from '../check-problem.ts'
import { createRoot } from '../dom/node.ts'
import { innerHtmlOf, outerHtmlOf } from '../dom/serialise.ts'
import { textOf } from '../dom/text.ts'
import type { WholePage, WholePageField } from '../whole-page-field.ts'
import { checkAll, checkChoice } from './options.ts'
import { perPage } from './per-page.ts'
import type { ParsedXPath, XPathResult } from './xpath-contract.ts'
import { xpathFunctions } from './xpath-functions.ts'
import { xpath as xpathLibrary } from './xpath-library.ts'
import { type ViewNode, viewOf } from './xpath-view.ts'

/**
 * `{ from: xpath, path: '//span[@class="price"]/text()' }`: XPath 1.0 over the whole page, with what Scrapy adds to it. Of
 * nodes the first one, or with `all: true` each of them, as text or as markup; a number, a text or a truth value as it is.
 * `{ xpath: '//h1/text()' }` is short for it.
 */
export const xpath: WholePageField = {
  keys: ['path', 'xpath', 'value', 'all'],
  needsTree: true,
  check({ path, xpath: short, value, all }, at) {
    if (path !== undefined && short !== undefined) refuse(`${at}.path`, path, 'no path beside xpath, which is one')
    return {
      path: short === undefined ? checkPath(path, `${at}.path`) : checkPath(short, `${at}.xpath`),
      value: checkChoice(value, `${at}.value`, Object.keys(readers)),
      all: checkAll(all, at),
    }
  },
  create({ path, value, all }) {
    const parsed = xpathLibrary().parse(path as string)
    const read = readers[value as string] ?? stringOf
    return page => {
      const result = evaluate(parsed, viewOfPage(page))
      const nodes = result.toArray?.()
      if (nodes === undefined) return atomOf(result)
      if (all === true) return nodes.map(read)
      const [first] = nodes
      return first === undefined ? null : read(first)
    }
  },
}

const maxLength = 2_000

const viewOfPage = perPage((page: WholePage) => viewOf(page.tree().root))

const evaluate = (parsed: ParsedXPath, node: ViewNode): XPathResult => parsed.evaluate({ node, ...xpathFunctions })

const stringOf = ({ source, nodeValue }: ViewNode): string => nodeValue ?? (source === null ? '' : textOf(source))

const readers: Readonly<Record<string, (node: ViewNode) => string>> = {
  text: stringOf,
  html: node => (node.source === null ? stringOf(node) : innerHtmlOf(node.source)),
  outerHTML: node => (node.source === null ? stringOf(node) : outerHtmlOf(node.source)),
}

/** Whichever of the three the value is; what is no number in XPath is none in JSON. */
function atomOf(result: XPathResult): JsonValue {
  const { XBoolean, XNumber } = xpathLibrary()
  const prototype: unknown = Object.getPrototypeOf(result)
  if (prototype === XBoolean.prototype) return result.booleanValue()
  if (prototype !== XNumber.prototype) return result.stringValue()
  const number = result.numberValue()
  return Number.isFinite(number) ? number : null
}

/** @throws CONFIG_INVALID with the place in the expression from which on it cannot be read */
function checkPath(path: unknown, at: string): string {
  if (typeof path !== 'string' || path.trim() === '' || path.length > maxLength)
    return refuse(at, path, `an XPath of at most ${maxLength} characters, such as //h1/text()`)
  const reason = syntaxProblem(path) ?? functionProblem(path)
  if (reason !== null) throw invalid(`${at}: ${shown(path)} is not an XPath: ${reason}`)
  return path
}

/** The library does not tell the place. What can be read up to it is the longest part that is an XPath by itself. */
function syntaxProblem(path: string): string | null {
  if (isReadable(path)) return null
  let length = path.length
  while (length > 0 && !isReadable(path.slice(0, length))) length -= 1
  const rest = path.slice(length, length + 30)
  return `it cannot be read at position ${length + 1}, ${rest === '' ? 'its end' : shown(rest)}`
}

function isReadable(path: string): boolean {
  try {
    return xpathLibrary().parse(path) !== undefined
  } catch {
    return false
  }
}

/** Names of functions and prefixes, and how many arguments there are, show only in use: so each is used on no page. */
function functionProblem(path: string): string | null {
  const { FunctionCall, parse } = xpathLibrary()
  const nowhere = viewOf(createRoot())
  const parsed = parse(path)
  const open: object[] = [parsed.expression]
  const seen = new Set<object>()
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const part = at as Readonly<Record<string, unknown>>
    const prefix = part.prefix ?? prefixOf(part.functionName)
    if (typeof prefix === 'string' && xpathFunctions.namespaces(prefix) === undefined)
      return `the prefix "${prefix}" means nothing here; names of HTML have none`
    if (Object.getPrototypeOf(at) === FunctionCall.prototype) {
      const problem = useProblem({ ...parsed, expression: at, evaluate: parsed.evaluate }, nowhere)
      if (problem !== null) return problem
    }
    for (const value of Object.values(part)) if (typeof value === 'object' && value !== null) open.push(value)
  }
  return null
}

const prefixOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^(.*):/.exec(name)?.[1] : undefined

/** Null: nothing that has to do with the call itself. */
function useProblem(call: ParsedXPath, nowhere: ViewNode): string | null {
  try {
    evaluate(call, nowhere)
    return null
  } catch (thrown) {
    const reason = messageOf(thrown)
    return /^(Unknown function|Function |Cannot resolve)/.test(reason)
      ? reason.replace(/^./, letter => letter.toLowerCase())
      : null
  }
}
