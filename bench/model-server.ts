import { type ChildProcess, fork } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { realClock } from '../src/core/clock.ts'
import { createRandom } from '../test/sim/random.ts'

/** What a server is made of; all of it may be changed while it runs. */
export interface Traits {
  /** Requests that are worked on at a time. */
  readonly workers: number
  /** Requests that may wait for a worker; more are refused with 429. */
  readonly queue: number
  /** Of the exponential law of service times. */
  readonly meanMs: number
  readonly isRefusing: boolean
  /** So many of the requests to come are refused, though there is room for them. */
  readonly refusesNext: number
  /** Sent with refusals. */
  readonly retryAfterS: number | null
  /** Accepts, and never answers. */
  readonly isSilent: boolean
}

/** What a server saw, all times on the monotonic clock that both processes share. */
export interface Seen {
  readonly arrivedAtMs: readonly number[]
  readonly refusedAtMs: readonly number[]
  /** Begin and end of each piece of work. */
  readonly work: readonly (readonly [fromMs: number, toMs: number])[]
  readonly peakInFlight: number
}

/** Model servers over real sockets, all in one process of their own, each at a port of every loopback address. */
export interface ModelServers extends AsyncDisposable {
  start(traits?: Partial<Traits>): Promise<ModelServer>
}

export interface ModelServer {
  readonly port: number
  set(traits: Partial<Traits>): void
  read(): Promise<Seen>
}

type Ask =
  | { readonly kind: 'start'; readonly id: number; readonly traits: Partial<Traits> }
  | { readonly kind: 'set'; readonly id: number; readonly traits: Partial<Traits> }
  | { readonly kind: 'read'; readonly id: number }

const defaults: Traits = {
  workers: 16,
  queue: 16,
  meanMs: 100,
  isRefusing: false,
  refusesNext: 0,
  retryAfterS: null,
  isSilent: false,
}

export function startModelServers(): ModelServers {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve'], { serialization: 'advanced' })
  // Fifty servers may be started at once.
  child.setMaxListeners(0)
  let servers = 0
  const ask = <T>(message: Ask): Promise<T> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the model servers ended with ${code}`))
      function hear(answer: { readonly id: number; readonly kind: string; readonly value: T }): void {
        if (answer.id !== message.id || answer.kind !== message.kind) return
        child.off('message', hear)
        child.off('exit', ended)
        resolve(answer.value)
      }
      child.on('message', hear)
      child.once('exit', ended)
      child.send(message)
    })
  return {
    async start(traits = {}) {
      servers += 1
      const id = servers
      const port = await ask<number>({ kind: 'start', id, traits })
      return {
        port,
        set: changes => void child.send({ kind: 'set', id, traits: changes } satisfies Ask),
        read: () => ask<Seen>({ kind: 'read', id }),
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

const page = '<!doctype html><title>page</title><h1>page</h1>'

function createModel(id: number, given: Partial<Traits>) {
  let traits = { ...defaults, ...given }
  const random = createRandom(id)
  const waiting: ServerResponse[] = []
  const seen = { arrivedAtMs: [] as number[], refusedAtMs: [] as number[], work: [] as [number, number][] }
  let busy = 0
  let inFlight = 0
  let peakInFlight = 0

  function work(response: ServerResponse): void {
    busy += 1
    const fromMs = realClock.nowMs()
    setTimeout(
      () => {
        busy -= 1
        seen.work.push([fromMs, realClock.nowMs()])
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
        const next = busy < traits.workers ? waiting.shift() : undefined
        if (next !== undefined) work(next)
      },
      -Math.log(1 - random()) * traits.meanMs,
    )
  }

  function refusesIt(): boolean {
    if (traits.refusesNext === 0) return traits.isRefusing
    traits = { ...traits, refusesNext: traits.refusesNext - 1 }
    return true
  }

  function answer(response: ServerResponse): void {
    if (traits.isSilent) return
    const isRefused = refusesIt()
    if (!isRefused && busy < traits.workers) work(response)
    else if (!isRefused && waiting.length < traits.queue) waiting.push(response)
    else {
      seen.refusedAtMs.push(realClock.nowMs())
      if (traits.retryAfterS !== null) response.setHeader('retry-after', traits.retryAfterS)
      response.writeHead(429).end()
    }
  }

  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    seen.arrivedAtMs.push(realClock.nowMs())
    inFlight += 1
    peakInFlight = Math.max(peakInFlight, inFlight)
    response.once('close', () => {
      inFlight -= 1
    })
    answer(response)
  })
  return {
    server,
    set(changes: Partial<Traits>): void {
      traits = { ...traits, ...changes }
      while (busy < traits.workers && waiting.length > 0) {
        const next = waiting.shift()
        if (next !== undefined) work(next)
      }
    },
    read: (): Seen => ({ ...seen, peakInFlight }),
  }
}

function serve(): void {
  const models = new Map<number, ReturnType<typeof createModel>>()
  process.on('message', (message: Ask) => {
    const { kind, id } = message
    if (kind === 'set') models.get(id)?.set(message.traits)
    else if (kind === 'read') process.send?.({ kind, id, value: models.get(id)?.read() })
    else {
      const model = createModel(id, message.traits)
      models.set(id, model)
      model.server.listen(0, '0.0.0.0', () => {
        const address = model.server.address()
        if (typeof address === 'object' && address !== null) process.send?.({ kind, id, value: address.port })
      })
    }
  })
  // Whoever started us is gone.
  process.once('disconnect', () => process.exit(0))
}

if (process.argv[2] === 'serve') serve()
