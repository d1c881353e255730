/** Collects the garbage of the thread that it runs in. */
export function parse(): null {
  const { gc } = globalThis
  gc?.()
  return null
}
