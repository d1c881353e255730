import { expect, test } from 'vitest'
import { createCommitter, type PageLines, type Sealed } from '../../src/sink/committer.ts'
import type { Position, Sink } from '../../src/sink/sink.ts'
import { createSimClock, type SimClock } from '../sim/clock.ts'

const lines = (text: string, output: PageLines['output'] = 'items'): PageLines => ({
  output,
  bytes: new TextEncoder().encode(`${text}\n`),
  count: 1,
})

/** Sinks in memory that take their time, so that batches overlap. */
function kit(clock: SimClock, failAt = Number.POSITIVE_INFINITY) {
  const log: string[] = []
  let writes = 0
  const sinkOf = (name: string): Sink => {
    let position: Position = { bytes: 0, lines: 0, crc: 0 }
    return {
      get position() {
        return position
      },
      async write(chunks, count) {
        await clock.sleep(30, new AbortController().signal)
        writes += 1
        if (writes >= failAt) throw new Error('full')
        const text = Buffer.concat(chunks).toString()
        position = { bytes: position.bytes + text.length, lines: position.lines + count, crc: 0 }
        log.push(`${name} ${text.trimEnd().replaceAll('\n', ',')}`)
      },
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const seals: string[][] = []
  let open: string[] = []
  const committer = createCommitter({
    clock,
    outputs: { items: sinkOf('items'), dead: sinkOf('dead') },
    seal() {
      const sealed = open
      open = []
      return async ({ positions: { items, dead } }: Sealed) => {
        seals.push(sealed)
        log.push(`commit ${sealed.join(',')} at ${items?.bytes}+${dead?.bytes}`)
      }
    },
    onWrote: () => {},
  })
  /** A page ends and its line joins the batch in one step, as the spine does it. */
  const end = (name: string, output: PageLines['output'] = 'items'): Promise<void> => {
    open.push(name)
    return committer.add(lines(name, output))
  }
  return { committer, end, log, seals }
}

test('lines are written first, and then the ends of exactly those pages are kept with where the outputs end', async () => {
  const clock = createSimClock()
  const { end, log } = kit(clock)
  await clock.run(async () => {
    const first = [end('a'), end('b', 'dead')]
    await clock.sleep(110, new AbortController().signal)
    // The first batch is being written: what comes now belongs to the next one.
    const second = end('c')
    await Promise.all([...first, second])
  })
  expect(log).toEqual(['items a', 'dead b', 'commit a,b at 2+2', 'items c', 'commit c at 4+2'])
})

test('a batch is closed when its oldest page has waited 100 ms', async () => {
  const clock = createSimClock()
  const { end } = kit(clock)
  const startMs = clock.nowMs()
  await clock.run(() => end('a'))
  expect(clock.nowMs() - startMs).toBe(130)
})

test('a full batch is closed at once', async () => {
  const clock = createSimClock()
  const { end, seals } = kit(clock)
  const startMs = clock.nowMs()
  await clock.run(() => Promise.all(Array.from({ length: 256 }, (_, nth) => end(String(nth)))))
  expect(clock.nowMs() - startMs).toBe(30)
  expect(seals.map(({ length }) => length)).toEqual([256])
})

test('finishing keeps what waits, and what had no line of output', async () => {
  const clock = createSimClock()
  const { committer, end, seals } = kit(clock)
  await clock.run(async () => {
    const waiting = [end('a'), committer.add(null)]
    await committer.finish()
    await Promise.all(waiting)
  })
  expect(seals.flat()).toEqual(['a'])
})

test('a failure reaches every page of the batch, and the one who finishes', async () => {
  const clock = createSimClock()
  const { committer, end, seals } = kit(clock, 1)
  await clock.run(async () => {
    const waiting = [end('a'), end('b')]
    await expect(committer.finish()).rejects.toThrow('full')
    for (const page of waiting) await expect(page).rejects.toThrow('full')
  })
  expect(seals).toEqual([])
})

test('pages that come while a batch fails hear of it too, and so does whoever comes later', async () => {
  const clock = createSimClock()
  const { end } = kit(clock, 1)
  await clock.run(async () => {
    const first = expect(end('a')).rejects.toThrow('full')
    await clock.sleep(110, new AbortController().signal)
    const meanwhile = expect(end('b')).rejects.toThrow('full')
    await Promise.all([first, meanwhile])
    await expect(end('c')).rejects.toThrow('full')
  })
})
