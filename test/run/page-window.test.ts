import { describe, expect, test } from 'vitest'
import { createPageWindow } from '../../src/run/page-window.ts'

/** Work that is ended by hand, page by page. */
function rig(isOrdered: boolean, size = 3) {
  const underWay = new Map<string, PromiseWithResolvers<string>>()
  const signals: AbortSignal[] = []
  const window = createPageWindow<string, string>({
    work(page, signal) {
      const ending = Promise.withResolvers<string>()
      underWay.set(page, ending)
      signals.push(signal)
      return ending.promise
    },
    size,
    isOrdered,
  })
  return {
    window,
    signals,
    end: (page: string) => underWay.get(page)?.resolve(`read ${page}`),
    fail: (page: string) => underWay.get(page)?.reject(new Error(`no ${page}`)),
  }
}

/** Whether a promise has settled by the time that all that can go on has gone on. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  await new Promise(setImmediate)
  return settled
}

describe('results', () => {
  test('come in the order of their pages, whichever is read first', async () => {
    const { window, end } = rig(true)
    for (const page of ['a', 'b']) await window.put(page)
    end('b')
    const first = window.take()
    expect(await isSettled(first)).toBe(false)
    end('a')
    expect([await first, await window.take()]).toEqual(['read a', 'read b'])
  })

  test('come as they are there, where order does not matter', async () => {
    const { window, end } = rig(false)
    for (const page of ['a', 'b']) await window.put(page)
    end('b')
    expect(await window.take()).toBe('read b')
    end('a')
    expect(await window.take()).toBe('read a')
  })

  test('end with null once no further page comes and none is under way', async () => {
    const { window, end } = rig(true)
    await window.put('a')
    window.end()
    end('a')
    expect([await window.take(), await window.take()]).toEqual(['read a', null])
  })

  test('of a page whose work failed is what it threw, and the next one is still there', async () => {
    const { window, end, fail } = rig(true)
    for (const page of ['a', 'b']) await window.put(page)
    fail('a')
    end('b')
    await expect(window.take()).rejects.toThrow('no a')
    expect(await window.take()).toBe('read b')
  })
})

test('whoever brings pages waits while as many as may be are in it, taken results not among them', async () => {
  const { window, end } = rig(true, 2)
  await window.put('a')
  const second = window.put('b')
  end('a')
  expect(await isSettled(second)).toBe(false)
  await window.take()
  await second
})

test('closing tells the reason to whoever waits on either side, and to the work', async () => {
  const { window, signals } = rig(true, 1)
  const [put, taken] = [window.put('a'), window.take()]
  window.close(new Error('enough'))
  await expect(put).rejects.toThrow('enough')
  await expect(taken).rejects.toThrow('enough')
  await expect(window.put('b')).rejects.toThrow('enough')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})
