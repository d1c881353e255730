/** Smaller ones are not asked about: they are many, and what they come to is found after the page. */
const leastBytes = 1e6

const shapeless = ['ArrayBuffer', 'SharedArrayBuffer']
const typed = [
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
]
const allocating = ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const

type Constructor = (new (...args: unknown[]) => object) & { readonly prototype: object }
type TypedConstructor = Constructor & { readonly BYTES_PER_ELEMENT: number }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const countOf = (value: unknown): number => (isObject(value) ? 0 : Number(value) || 0)

/** What may grow to a length without asking again is asked about as if it had. */
const shapelessBytes = ([length, options]: readonly unknown[]): number =>
  Math.max(countOf(length), isObject(options) ? countOf(Reflect.get(options, 'maxByteLength')) : 0)

/** A copy of an array has its length; a view of a buffer has none to ask for. */
const elements = ([first]: readonly unknown[]): number =>
  countOf(isObject(first) ? Reflect.get(first, 'length') : first)

/**
 * From now on, whoever makes a large array in this thread by its length asks first: `ask` throws where it is not to be. A
 * proxy has the name, the statics and the prototype of what it stands for, so nobody can tell but by asking for too much;
 * it costs some 40 ns per array.
 */
export function guardArrays(ask: (bytes: number) => void): void {
  const askIfLarge = (bytes: number): void => {
    if (bytes >= leastBytes) ask(bytes)
  }

  function guard(name: string, type: Constructor, bytesOf: (args: readonly unknown[]) => number): void {
    const guarded: Constructor = new Proxy(type, {
      construct(target, args, newTarget) {
        askIfLarge(bytesOf(args))
        return Reflect.construct(target, args, newTarget === guarded ? target : newTarget)
      },
    })
    replace(globalThis, name, guarded)
    // `slice`, `map` and whoever copies a thing of unknown type take it from there.
    replace(type.prototype, 'constructor', guarded)
  }

  for (const name of shapeless) guard(name, Reflect.get(globalThis, name), shapelessBytes)
  for (const name of typed) {
    const type: TypedConstructor = Reflect.get(globalThis, name)
    guard(name, type, args => elements(args) * type.BYTES_PER_ELEMENT)
  }
  // Made of a type of Node's own.
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
