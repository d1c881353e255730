/**
 * Calls `run` when `signal` aborts, or at once where it has; disposing takes the listener off. For few: whatever each page
 * would listen to goes through an `AbortHub`.
 */
export function onAbort(signal: AbortSignal, run: () => void): Disposable {
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', run) }
}
