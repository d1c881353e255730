/**
 * A queue with two ends over a circular array: every call is O(1), growing and shrinking spread over the calls.
 * A plain record with functions beside it and no closures, since there is one per host and hosts come by the 100,000.
 */
export interface Deque<T> {
  /** Its length is a power of two, so that a mask replaces the modulo. */
  slots: (T | undefined)[]
  head: number
  size: number
}

const smallestCapacity = 4

export const createDeque = <T>(): Deque<T> => ({ slots: emptySlots(smallestCapacity), head: 0, size: 0 })

export function pushLast<T>(deque: Deque<T>, value: T): void {
  if (deque.size === deque.slots.length) resize(deque, deque.size * 2)
  deque.slots[(deque.head + deque.size) & (deque.slots.length - 1)] = value
  deque.size += 1
}

export function pushFirst<T>(deque: Deque<T>, value: T): void {
  if (deque.size === deque.slots.length) resize(deque, deque.size * 2)
  deque.head = (deque.head - 1) & (deque.slots.length - 1)
  deque.slots[deque.head] = value
  deque.size += 1
}

/** Undefined when empty. It stays where it is. */
export const peekFirst = <T>({ slots, head }: Deque<T>): T | undefined => slots[head]

/** The first that passes. It stays where it is. */
export function findIn<T>({ slots, head, size }: Deque<T>, passes: (value: T) => boolean): T | undefined {
  for (let offset = 0; offset < size; offset++) {
    const value = slots[(head + offset) & (slots.length - 1)]
    if (value !== undefined && passes(value)) return value
  }
  return undefined
}

/** Undefined when empty. */
export function takeFirst<T>(deque: Deque<T>): T | undefined {
  if (deque.size === 0) return undefined
  const value = deque.slots[deque.head]
  // A slot left filled would keep a task of long ago alive.
  deque.slots[deque.head] = undefined
  deque.head = (deque.head + 1) & (deque.slots.length - 1)
  deque.size -= 1
  if (deque.size * 4 <= deque.slots.length && deque.slots.length > smallestCapacity)
    resize(deque, deque.slots.length / 2)
  return value
}

/** Undefined when empty. */
export function takeLast<T>(deque: Deque<T>): T | undefined {
  if (deque.size === 0) return undefined
  deque.size -= 1
  const place = (deque.head + deque.size) & (deque.slots.length - 1)
  const value = deque.slots[place]
  deque.slots[place] = undefined
  if (deque.size * 4 <= deque.slots.length && deque.slots.length > smallestCapacity)
    resize(deque, deque.slots.length / 2)
  return value
}

function emptySlots<T>(capacity: number): (T | undefined)[] {
  return new Array<T | undefined>(capacity).fill(undefined)
}

function resize<T>(deque: Deque<T>, capacity: number): void {
  const slots = emptySlots<T>(capacity)
  const mask = deque.slots.length - 1
  for (let offset = 0; offset < deque.size; offset++) slots[offset] = deque.slots[(deque.head + offset) & mask]
  deque.slots = slots
  deque.head = 0
}
