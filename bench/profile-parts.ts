/** What `node --cpu-prof` writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** The node that ran at each sample, and the microseconds that passed before it. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

/** By where a file stands in the checkout; the first that fits. */
const parts: readonly (readonly [name: string, of: RegExp])[] = [
  ['undici and the fetcher', /^node_modules\/undici\/|^src\/(?:fetch|cookies|proxy)\//],
  ['hand-over to threads and back', /^node_modules\/piscina\/|^src\/(?:parse\/|core\/wire)|^workers\//],
  ['scanner and fields', /^src\/(?:extract|decode)\/|^node_modules\/(?:htmlparser2|entities|css-\w+|@exodus)\//],
  ['lines, links and what pages say', /^src\/(?:stage|scope|module|warc)\//],
  ['queue, gates, commits, output, events', /^src\//],
  ["Node's own modules", /^node:/],
]
const others = 'others'

/** What V8 gives time to beside functions; null: nothing is done. */
const noFunctions: Readonly<Record<string, string | null>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'outside of JavaScript',
  '(root)': null,
  '(idle)': null,
}

/** Undefined: built in or compiled from elsewhere, and has no file. */
function ownPartOf({ callFrame: { url, functionName } }: ProfileNode, root: string): string | null | undefined {
  if (url === '' || url.startsWith('wasm:')) return noFunctions[functionName]
  const path = url.startsWith(root) ? url.slice(root.length) : url
  return parts.find(([, of]) => of.test(path))?.[0] ?? others
}

/**
 * Where the time of a thread went, in milliseconds by part, the most first; what it waited is none. What a function
 * without a file does is its caller's.
 * @param root URL of the checkout
 */
export function partsOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  root: string,
): readonly (readonly [part: string, ms: number])[] {
  const partById = new Map<number, string | null>()
  const byId = new Map(nodes.map(node => [node.id, node]))
  const open: [ProfileNode, string | null][] = nodes.slice(0, 1).map(root => [root, others])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, callers] = next
    const own = ownPartOf(node, root)
    const part = own === undefined ? callers : own
    partById.set(node.id, part)
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) open.push([child, part ?? others])
    }
  }
  const sums = new Map<string, number>()
  for (const [nth, id] of samples.entries()) {
    const part = partById.get(id) ?? null
    if (part !== null) sums.set(part, (sums.get(part) ?? 0) + (timeDeltas[nth] ?? 0) / 1_000)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

/** Whether it is that of a thread that parses. */
export const isOfParseThread = ({ nodes }: CpuProfile): boolean =>
  nodes.some(({ callFrame: { url } }) => url.endsWith('/workers/parse.ts'))
