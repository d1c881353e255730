import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Clock } from '../core/clock.ts'
import { setsYoung } from '../core/young-limit.ts'

/**
 * Keeps the young generation of the calling thread's heap small, for a process that is all ours.
 *
 * V8 doubles it each time that as much as it holds has survived in all, however long that took, so that in any long run
 * it reaches 64 to 128 MB of room for garbage. Its bound (`--max-semi-space-size`) counts only where it is given as
 * the process starts. The factor that it grows by is read each time: once it is large enough the factor becomes one. A
 * run costs as much CPU with it as without.
 *
 * Threads that start meanwhile begin with what others have grown to. Compiled code is kept with the flags that it was
 * compiled under, and Node has a folder for each set of them: the first thread that is replaced meanwhile on a machine compiles all
 * of its code, those after it find it. Flags have their former values again when this ends: those of V8, since whoever has
 * set one that this is about is left alone.
 *
 * @param options that the process was started with
 */
export function boundYoungGeneration(clock: Clock, options: readonly string[]): Disposable {
  if (setsYoung(options)) return { [Symbol.dispose]() {} }
  let timer = clock.after(lookMs, look)
  let isBound = false

  function look(): void {
    if (youngBytes() < enoughBytes) timer = clock.after(lookMs, look)
    else {
      isBound = true
      setFlagsFromString('--semi-space-growth-factor=1')
      setFlagsFromString('--min-semi-space-size=4')
    }
  }

  return {
    [Symbol.dispose]() {
      timer[Symbol.dispose]()
      if (!isBound) return
      setFlagsFromString('--semi-space-growth-factor=2')
      setFlagsFromString('--min-semi-space-size=0')
    },
  }
}

const lookMs = 50
/** Both halves. */
const enoughBytes = 16 * 2 ** 20

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
