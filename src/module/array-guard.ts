/** Smaller ones are not asked about: they are many, and what they come to is found after the page. */
const leastBytes = 1e6

const typed = [
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
]
const allocating = ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const

interface WasmMemory {
  readonly buffer: ArrayBufferLike
  grow(pages: number): number
}

/** Known to Node, and not to its types. */
const wasm: { readonly Memory: { readonly prototype: WasmMemory } } = Reflect.get(globalThis, 'WebAssembly')
/** Of its memory. */
const pageBytes = 65_536

type Constructor = (new (...args: unknown[]) => object) & { readonly prototype: object }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const countOf = (value: unknown): number => (isObject(value) ? 0 : Number(value) || 0)

/** How WebAssembly's memory is asked for. */
const wantedOf = (wanted: unknown): { readonly initial?: unknown; readonly shared?: unknown } =>
  isObject(wanted) ? wanted : {}

/** What may grow to a length without asking again is asked about as if it had. */
const shapelessBytes = ([length, options]: readonly unknown[]): number =>
  Math.max(countOf(length), isObject(options) ? countOf(Reflect.get(options, 'maxByteLength')) : 0)

/** A copy of an array has its length; a view of a buffer has none to ask for. */
const elements = ([first]: readonly unknown[]): number =>
  countOf(isObject(first) ? Reflect.get(first, 'length') : first)

export interface ArrayGuard {
  /** An array of so many bytes is about to be made. What this throws, its maker gets instead. */
  readonly ask: (bytes: number) => void
  /** A shared one of so many bytes was made. */
  readonly madeShared: (buffer: object, bytes: number) => void
}

/**
 * From now on, whoever makes a large array in this thread by its length asks first; with a shared one of any size, for
 * nobody else counts those. A proxy has the name, the statics and the prototype of what it stands for, so nobody can tell
 * but by asking for too much; it costs some 40 ns per array, and 100 per `instanceof`.
 */
export function guardArrays({ ask, madeShared }: ArrayGuard): void {
  const askIfLarge = (bytes: number): void => {
    if (bytes >= leastBytes) ask(bytes)
  }

  type Make = (construct: () => object, args: readonly unknown[]) => object
  function guard(name: string, make: Make, owner: object = globalThis): void {
    const type: Constructor = Reflect.get(owner, name)
    const guarded: Constructor = new Proxy(type, {
      construct: (target, args, newTarget) =>
        make(() => Reflect.construct(target, args, newTarget === guarded ? target : newTarget), args),
    })
    replace(owner, name, guarded)
    // `slice`, `map` and whoever copies a thing of unknown type take it from there.
    replace(type.prototype, 'constructor', guarded)
  }

  guard('ArrayBuffer', (construct, args) => {
    askIfLarge(shapelessBytes(args))
    return construct()
  })
  guard('SharedArrayBuffer', (construct, args) => {
    const bytes = shapelessBytes(args)
    ask(bytes)
    const buffer = construct()
    madeShared(buffer, bytes)
    return buffer
  })
  guard(
    'Memory',
    (construct, [wanted]) => {
      const { initial, shared } = wantedOf(wanted)
      const bytes = countOf(initial) * pageBytes
      if (!shared) askIfLarge(bytes)
      else ask(bytes)
      const memory = construct()
      if (shared) madeShared(memory, bytes)
      return memory
    },
    wasm,
  )
  const { prototype } = wasm.Memory
  const grow = new Proxy(prototype.grow, {
    apply(target, memory: WasmMemory, args: [number]) {
      const bytes = countOf(args[0]) * pageBytes
      ask(bytes)
      const pages = Reflect.apply(target, memory, args)
      if (memory.buffer instanceof SharedArrayBuffer) madeShared(memory, bytes)
      return pages
    },
  })
  replace(prototype, 'grow', grow)
  for (const name of typed) {
    const elementBytes: number = Reflect.get(Reflect.get(globalThis, name), 'BYTES_PER_ELEMENT')
    guard(name, (construct, args) => {
      askIfLarge(elements(args) * elementBytes)
      return construct()
    })
  }
  // Made of a type of Node's own, which stands on the one that was.
  Object.setPrototypeOf(Buffer, Uint8Array)
  for (const name of allocating)
    replace(
      Buffer,
      name,
      new Proxy(Buffer[name], {
        apply(target, self, args) {
          askIfLarge(countOf(args[0]))
          return Reflect.apply(target, self, args)
        },
      }),
    )
}

/** As writable, enumerable and configurable as it was. */
const replace = (owner: object, name: string, value: unknown): void =>
  void Object.defineProperty(owner, name, { value })
