import { expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createSimParser } from '../sim/parser.ts'
import type { SimEnv } from '../sim/random.ts'
import { adds, type SimRunOptions, simulate, urlsOf } from './kit.ts'

const host = 'a.test'
const bound = 8
const pages = 250
const seeds = Array.from({ length: 20 }, (_, nth) => nth + 1)
const policies = ['fixed', 'aimd'] as const

/** A tenth of the pages throws in the parser, and a tenth kills its thread. */
function troubled({ clock, random }: SimEnv): Parser {
  const parser = createSimParser({ clock, random, threads: 2, law: { kind: 'exponential', meanMs: 5 } })
  return {
    ...parser,
    get stats() {
      return parser.stats
    },
    async parse(request, signal) {
      const reply = await parser.parse(request, signal)
      const luck = random()
      if (luck > 0.2) return reply
      const fault = faultOf(luck < 0.1 ? 'PARSE_FAILED' : 'PARSE_CRASHED', request.finalUrl)
      return { kind: 'faulted', fault, cpuMs: reply.kind === 'parsed' ? reply.cpuMs : 0 }
    },
  }
}

/** Of what reaches the server a tenth is never answered, a tenth is reset, and a tenth is told to wait. */
const run = (seed: number, policy: (typeof policies)[number], during?: SimRunOptions['during']) =>
  simulate({
    job: {
      seeds: urlsOf(host, pages),
      item: { title: 'title' },
      limits: { perHost: { policy, max: bound }, rate: 'none', delayMs: 0 },
      robots: { ignoreFor: [host] },
    },
    hosts: {
      [host]: {
        latency: { kind: 'exponential', meanMs: 100 },
        failures: { RESPONSE_TIMEOUT: 0.1, CONNECT_FAILED: 0.1, THROTTLED: 0.1 },
      },
    },
    seed,
    parser: troubled,
    ...(during && { during }),
  })

test.each(seeds)(
  'a server never has more under way than its bound, whatever throws, times out, is killed or cut (L22, seed %i)',
  async seed => {
    for (const policy of policies) {
      const whole = await run(seed, policy)
      expect(whole.report.ledger).toMatchObject({ discovered: pages, pending: 0 })
      const cut = await run(seed, policy, (it, env) => void env.clock.after(3_000 + 100 * seed, () => it.close()))
      expect(cut.report.finished).toBe(false)
      expect(cut.web.log.some(({ answer }) => answer === 'ABORTED')).toBe(true)
      for (const { web, report } of [whole, cut]) {
        expect(adds(report.ledger)).toBe(true)
        expect(web.peakOf(host)).toBeLessThanOrEqual(bound)
        expect(web.inFlight).toBe(0)
      }
      // Trouble is not what keeps it below.
      if (policy === 'fixed') expect(whole.web.peakOf(host)).toBe(bound)
    }
  },
)
