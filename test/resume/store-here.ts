import { EventEmitter } from 'node:events'
import type { Clock } from '../../src/core/clock.ts'
import { type StorePort, serveStore } from '../../src/frontier/stores/serve-store.ts'
import type { StoreReply, StoreRequest, StoreSetup } from '../../src/frontier/stores/store-messages.ts'

/** What stands around the stores that are opened from now on. */
export interface Surroundings {
  readonly clock: Clock
  /** Asked before each request that changes something, and after it; true: the process died there. */
  readonly dies: (moment: 'before' | 'after') => boolean
}

let around: Surroundings | null = null
export const surround = (surroundings: Surroundings): void => {
  around = surroundings
}

/**
 * Stands in for the thread of a store: the same code on the same kind of file, answering in this thread. So simulated
 * time waits for it, and a process can be said to have died at any request.
 */
export class StoreHere extends EventEmitter {
  #receive: ((message: readonly [number, StoreRequest]) => void) | null = null
  readonly #around: Surroundings
  #isDead = false

  constructor(_entry: URL, { workerData }: { readonly workerData: StoreSetup }) {
    super()
    if (around === null) throw new Error('no surroundings for this store')
    this.#around = around
    const port: StorePort = {
      postMessage: reply => this.#answer(structuredClone(reply)),
      on: (_event, receive) => {
        this.#receive = receive
      },
      unref() {},
    }
    queueMicrotask(() => serveStore(port, workerData, this.#around.clock))
  }

  postMessage(message: readonly [number, StoreRequest]): void {
    queueMicrotask(() => this.#ask(structuredClone(message)))
  }

  ref(): void {}
  unref(): void {}

  #answer(reply: StoreReply): void {
    if (!this.#isDead) queueMicrotask(() => this.emit('message', reply))
  }

  #ask(message: readonly [number, StoreRequest]): void {
    const [number, { kind }] = message
    const changes = kind === 'commit'
    if (changes && !this.#isDead && this.#around.dies('before')) this.#isDead = true
    // A dead process commits nothing more; its file is closed, so that the test leaves no handle.
    if (!this.#isDead || kind === 'close') this.#receive?.(message)
    if (changes && !this.#isDead && this.#around.dies('after')) this.#isDead = true
    if (this.#isDead) queueMicrotask(() => this.emit('message', { kind: 'failed', number, message: 'died' }))
  }
}
