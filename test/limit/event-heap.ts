/** A binary heap of objects that carry their own time, so that an event costs no entry of its own. */
export interface EventHeap<T extends { readonly atMs: number }> {
  push(event: T): void
  /** The earliest, or null. */
  pop(): T | null
}

export function createEventHeap<T extends { readonly atMs: number }>(): EventHeap<T> {
  const events: T[] = []
  // Beside the events, so that comparing does not touch them.
  const times: number[] = []

  function rise(event: T, from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = events[parent]
      const aboveMs = times[parent]
      if (above === undefined || aboveMs === undefined || aboveMs <= event.atMs) break
      events[index] = above
      times[index] = aboveMs
      index = parent
    }
    events[index] = event
    times[index] = event.atMs
  }

  /** Leads the hole at the top down to a leaf, along the earlier of two children. */
  function sink(size: number): number {
    let hole = 0
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && (times[child + 1] ?? 0) < (times[child] ?? 0)) child += 1
      const below = events[child]
      if (below === undefined) break
      events[hole] = below
      times[hole] = times[child] ?? 0
      hole = child
    }
    return hole
  }

  return {
    push(event) {
      rise(event, events.length)
    },
    pop() {
      const first = events[0]
      const last = events.pop()
      times.pop()
      if (first === undefined || last === undefined) return null
      // The last one belongs near the bottom: from a leaf it seldom rises far.
      if (events.length > 0) rise(last, sink(events.length))
      return first
    },
  }
}
