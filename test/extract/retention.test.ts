import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const heldBytes = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Each of its own: equal ones could share memory. The tree takes some 1.5 MB. */
const page = (index: number): string =>
  `<ul>${`<li class="x">item ${index} <a href="/${index}">more</a></li>`.repeat(2_000)}</ul>`

test.each(['fast', 'browser'] as const)('no page stays in memory once %s has read it', parser => {
  const item = checkItem(
    {
      rows: [{ selector: 'li', value: { link: '> a', deep: '.x a' } }],
      any: 'ul li a',
      last: 'li:last',
      own: { selector: 'li', value: 'ownText', pick: -2 },
      part: { selector: 'a', pattern: 'm(o)re' },
    },
    'item',
  )
  const engine = createTreeEngine({ name: 'any', match: null, item, follow: ['li > a'], parser })
  const readTen = (): void => {
    for (let index = 0; index < 10; index += 1)
      engine.read({ html: page(index), url: 'http://shop.test/', wantLinks: true })
  }
  readTen()
  const beforeBytes = heldBytes()
  readTen()
  // A few megabytes come and go with the engine's own arrays and its compiled code.
  expect(heldBytes() - beforeBytes).toBeLessThan(5_000_000)
})

test('rules that have read a page do not keep memory of its size each', () => {
  const item = checkItem({ none: '.none' }, 'item')
  const html = page(0).repeat(7)
  const utf8 = Uint8Array.from(Buffer.from(html))
  const arrayBytes = (): number => {
    collect()
    // What the first one frees of arrays is swept aside of it, and counted by the next.
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const beforeBytes = arrayBytes()
  const engines = Array.from({ length: 10 }, (_, index) => {
    const engine = createStreamEngine({ name: `any${index}`, match: null, item, follow: ['.none'], parser: 'fast' })
    for (const wantLinks of [true, false]) {
      engine.read({ html, utf8, url: 'http://shop.test/', wantLinks })
      engine.read({ html, url: 'http://shop.test/', wantLinks })
    }
    return engine
  })
  expect(html.length).toBeLessThan(1 << 20)
  expect(arrayBytes() - beforeBytes).toBeLessThan(5_000_000)
  expect(engines).toHaveLength(10)
})
