import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { parseFastTree } from '../../src/extract/dom/fast-tree.ts'
import { isElement, type TreeElement, type TreeNode } from '../../src/extract/dom/node.ts'
import { innerHtmlOf } from '../../src/extract/dom/serialise.ts'
import { nextNode } from '../../src/extract/dom/walk.ts'
import { brokenDocument } from './stream-documents.ts'
import { linesOfDomHandler, linesOfTree } from './tree-lines.ts'

/** Documents; FUZZ asks for more of them. */
const numRuns = Number(process.env.FUZZ ?? 1_500)

const oddPages = [
  '',
  '<',
  'a\0b<p\0c d\0e="f\0g">\0</p\0c>',
  '<p a=1 A=2 a><p __proto__=x hasOwnProperty=y>',
  '<p a="&amp;&lt" b=&amp c=\'&quot;"\'>&amp;&amp &notanentity;',
  '<a b=c<d e / f=/g/>x</a/>y</a z>',
  '<!doctype html PUBLIC "a" \'b\'><?xml version="1.0"?><![CDATA[ a ]]><!-- b --><!c><!--d',
  '<svg><![CDATA[a<b]]><title/>x<path/></svg><math><mi/>y',
  '<title>a<&amp;b</titl></title><textarea>&lt;</textarea><script>a&amp;</script><style>',
  '</p></br></br/></div><p></p></p>',
  '<table><tr><td>a<tr><th>b</table><ul><li>a<li>b</ul>',
  '<\u0130 \u0130=1 \u212aey=2 key=3>',
]

test.each(oddPages)('%j makes the tree of htmlparser2', html => {
  expect(linesOfTree(parseFastTree(html).root)).toEqual(linesOfDomHandler(parseDocument(html)))
})

test('attributes keep the order in which they are written, even where their names are numbers', () => {
  const { root } = parseFastTree('<p b=1 2=2 a=3 1=4>')
  expect(innerHtmlOf(root)).toBe('<p b="1" 2="2" a="3" 1="4"></p>')
})

test(
  `any document makes the tree of htmlparser2 (${numRuns} cases)`,
  () => {
    fc.assert(
      fc.property(brokenDocument, html => {
        const [ours, theirs] = [linesOfTree(parseFastTree(html).root), linesOfDomHandler(parseDocument(html))]
        if (ours.join('\n') !== theirs.join('\n')) expect(ours).toEqual(theirs)
      }),
      { numRuns },
    )
  },
  30_000 + numRuns * 5,
)

const folder = join(dirname(fileURLToPath(import.meta.resolve('htmlparser-benchmark'))), 'files')
/** Every eighth of 258 real pages. */
const pages = readdirSync(folder).filter((_, index) => index % 8 === 1)

test(`${pages.length} real pages make the trees of htmlparser2`, () => {
  for (const name of pages) {
    const html = readFileSync(join(folder, name), 'utf8')
    expect(
      linesOfTree(parseFastTree(html).root).join('\n') === linesOfDomHandler(parseDocument(html)).join('\n'),
      name,
    ).toBe(true)
  }
})

test('the elements of a tree are listed in its order, and all nodes are linked both ways', () => {
  fc.assert(
    fc.property(brokenDocument, html => {
      const { root, elements } = parseFastTree(html)
      const found: TreeElement[] = []
      for (let node: TreeNode | null = root; node !== null; node = nextNode(node, root)) {
        if (isElement(node)) found.push(node)
        const isLinked =
          (node.next === null || node.next.prev === node) &&
          (node.prev === null ? node.parent === null || node.parent.first === node : node.prev.next === node)
        expect(isLinked).toBe(true)
      }
      expect(found.length === elements.length && found.every((element, index) => element === elements[index])).toBe(
        true,
      )
    }),
    { numRuns: 300 },
  )
})

test('a tree may be read when the next page has been parsed', () => {
  const first = parseFastTree('<p a="&lt;1">x &amp; y')
  parseFastTree('<i b=2>z')
  expect(linesOfTree(first.root)).toEqual(['root ', ' element p a="<1"', '  text x & y'])
})
