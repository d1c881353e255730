import { newTask } from '../../src/core/task.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createLanes } from '../../src/frontier/lanes.ts'
import { laneHasEnough } from '../../src/gate/lane.ts'
import type { Client } from './simulator.ts'

/** The turn between clients that share so many places: that of the frontier, over one task for each that never ends. */
export interface Turns {
  add(client: Client): void
  /** The next that may send, which takes a place. */
  next(nowMs: number, readyAtMs: (client: Client) => number): Client | null
  /** A request of it was answered. */
  end(client: Client): void
  /** A place is free again. */
  leave(): void
  wake(client: Client): void
}

export function createTurns(places: number): Turns {
  const clients = new Map<HostKey, Client>()
  const lanes = createLanes(undefined, (host, more) => {
    const lane = clients.get(host)?.lane
    return lane !== undefined && laneHasEnough(lane, more)
  })
  let taken = 0
  return {
    add(client) {
      const { host } = client.lane
      clients.set(host, client)
      for (let nth = 0; nth < 2; nth += 1) lanes.pushLast(newTask(host, new URL(`http://${host}/`), 'page'))
    },
    next(nowMs, readyAtMs) {
      if (taken >= places) return null
      const task = lanes.next(nowMs, host => {
        const client = clients.get(host)
        return client === undefined ? Number.POSITIVE_INFINITY : readyAtMs(client)
      })
      if (task === null) return null
      taken += 1
      lanes.pushLast(task)
      return clients.get(task.host) ?? null
    },
    end: ({ lane }) => lanes.end(lane.host),
    leave() {
      taken -= 1
    },
    wake: ({ lane }) => void lanes.wake(lane.host),
  }
}
