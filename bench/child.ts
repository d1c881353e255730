import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Child extends Disposable {
  /** The first message it sent. */
  readonly first: unknown
}

/** Starts a script of the benches in a process of its own, and waits for the first thing it has to say. */
export async function startChild(script: string, args: readonly string[] = []): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [first] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${script} ended with ${code} before it said anything`)
    }),
  ])
  return { first, [Symbol.dispose]: () => void child.kill() }
}

/** Runs a script to its end in a process of its own; its first message is the result. */
export async function runChild<T>(script: string, args: readonly string[]): Promise<T> {
  using child = await startChild(script, args)
  return child.first as T
}
