/**
 * A binary heap of values by time, equal times in the order in which they came. Entries know their place, so that one
 * can be taken out of the middle: a host whose pause ends early must not leave its old time behind.
 */
export interface TimeHeap<T> {
  readonly size: number
  /** Infinity when empty. */
  readonly firstAtMs: number
  push(atMs: number, value: T): HeapEntry<T>
  /** The earliest, or undefined when empty. */
  pop(): T | undefined
  /** In no order. */
  values(): Iterable<T>
  /** Nothing happens when it has left already. */
  remove(entry: HeapEntry<T>): void
}

export interface HeapEntry<T> {
  readonly atMs: number
  readonly value: T
  /** Decides between equal times. */
  readonly order: number
  /** Place in the heap, -1 once out of it; written by the heap alone. */
  index: number
}

const isBefore = (a: HeapEntry<unknown>, b: HeapEntry<unknown>): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

export function createTimeHeap<T>(): TimeHeap<T> {
  const entries: HeapEntry<T>[] = []
  let pushed = 0

  function place(entry: HeapEntry<T>, index: number): void {
    entries[index] = entry
    entry.index = index
  }

  function rise(entry: HeapEntry<T>): void {
    let index = entry.index
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = entries[parentIndex]
      if (parent === undefined || !isBefore(entry, parent)) break
      place(parent, index)
      index = parentIndex
    }
    place(entry, index)
  }

  function sink(entry: HeapEntry<T>): void {
    let index = entry.index
    for (;;) {
      const left = entries[2 * index + 1]
      const right = entries[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      const childIndex = child.index
      place(child, index)
      index = childIndex
    }
    place(entry, index)
  }

  function remove(entry: HeapEntry<T>): void {
    if (entry.index < 0) return
    const last = entries.pop()
    if (last !== undefined && last !== entry) {
      place(last, entry.index)
      rise(last)
      sink(last)
    }
    entry.index = -1
  }

  return {
    get size() {
      return entries.length
    },
    get firstAtMs() {
      return entries[0]?.atMs ?? Number.POSITIVE_INFINITY
    },
    push(atMs, value) {
      const entry = { atMs, value, order: pushed++, index: entries.length }
      entries.push(entry)
      rise(entry)
      return entry
    },
    pop() {
      const first = entries[0]
      if (first === undefined) return undefined
      remove(first)
      return first.value
    },
    values: () => entries.values().map(({ value }) => value),
    remove,
  }
}
