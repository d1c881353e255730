/** A queue that neither moves its entries for each one that leaves nor keeps those that left. */
export interface Fifo<T> {
  readonly first: T | null
  readonly length: number
  push(entry: T): void
  drop(): void
}

const mostDropped = 1_024

export function createFifo<T>(): Fifo<T> {
  let entries: T[] = []
  let head = 0
  return {
    get first() {
      return entries[head] ?? null
    },
    get length() {
      return entries.length - head
    },
    push(entry) {
      entries.push(entry)
    },
    drop() {
      head += 1
      if (head < mostDropped && head < entries.length) return
      entries = entries.slice(head)
      head = 0
    },
  }
}
