import { createEvents, listen } from '../../src/core/events.ts'
import type { Reading } from '../../src/core/outcome.ts'
import type { HostKey } from '../../src/core/url.ts'
import { createHostGate, type HostGate } from '../../src/gate/host-gate.ts'
import type { HostPolicy } from '../../src/job/job.ts'
import { createSimEnv, type SimEnv } from '../sim/random.ts'

export const host = 'shop.test' as HostKey
export const good: Reading = { verdict: 'good', firstByteMs: 100, retryAfterMs: null, stalled: false }
/** A 429. */
export const refused: Reading = { ...good, verdict: 'refused', firstByteMs: 5, blocked: true }
export const noDelay = { min: 0, max: 0 }
export const adaptive: HostPolicy = { perHost: { policy: 'aimd', start: 2, max: 32 }, rate: null, delayMs: noDelay }
export const fixed = (max: number): HostPolicy => ({ ...adaptive, perHost: { policy: 'fixed', max } })

export interface Rig extends Disposable {
  readonly env: SimEnv
  readonly gate: HostGate
  /** Hosts whose permits came back, and events, in order. */
  readonly returned: HostKey[]
  /** The limit of each host that ever changed it. */
  readonly limits: Map<HostKey, number>
  readonly heard: { readonly name: string; readonly event: object }[]
}

let runs = 0

/** A host gate on a simulated clock, and all that it says. */
export function createRig(policy: HostPolicy, seed = 1): Rig {
  const env = createSimEnv(seed)
  runs += 1
  const events = createEvents(`gate-${runs}`)
  const returned: HostKey[] = []
  const limits = new Map<HostKey, number>()
  const heard: Rig['heard'][number][] = []
  const ear = listen(events.run, {
    'lane.limit': event => {
      limits.set(event.host, event.to)
      heard.push({ name: 'lane.limit', event })
    },
    'lane.paused': event => heard.push({ name: 'lane.paused', event }),
  })
  const onReturned = (name: HostKey): void => void returned.push(name)
  const retries = { totalWaitMs: 600_000, budget: 0.1 }
  const gate = createHostGate({ env, policyOf: () => policy, retries, events, onReturned, idleAfterMs: 10_000 })
  return {
    env,
    gate,
    returned,
    limits,
    heard,
    [Symbol.dispose]() {
      ear[Symbol.dispose]()
      gate[Symbol.dispose]()
    },
  }
}
