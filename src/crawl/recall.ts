import { MillraceError } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import { isSourcePage } from '../core/task.ts'
import { fateOf } from '../pace/retry.ts'
import type { AtHand } from './admit.ts'
import type { House } from './house.ts'
import { redirectOf } from './redirect.ts'
import { settle } from './settle.ts'
import { settleFaulted } from './settle-faulted.ts'
import { settleRead } from './settle-read.ts'
import { parsePage } from './visit.ts'

/** Back to the queue, and from there through the gates like any other: nothing was asked of its host. */
const afterAll: Fate = { kind: 'retry', notBeforeMs: 0, charge: 'none' }

/**
 * One URL whose answer is at hand, to its fate: a visit without its network part. No limiter learns from it, no robots
 * file is asked for it, and where there is no answer after all, or one that is no page, it becomes a visit.
 */
export async function recall(house: House, { task, slot }: AtHand, signal: AbortSignal): Promise<Fate> {
  using held = slot
  if (house.recall === null)
    throw new MillraceError('INVARIANT', `an answer to ${task.id} is at hand, and nobody has it`)
  const outcome = await house.recall.take(task, bytes => held.grow(bytes))
  if (outcome === null) return await settle(house, task, afterAll)
  if (outcome.kind === 'moved')
    return await settle(house, task, redirectOf(task, outcome, house.routes, house.redirects.max))
  if (outcome.kind !== 'page')
    return await settle(house, task, fateOf(task, outcome, house.retries, house.clock.nowMs(), house.random))
  held.expect(outcome.page.body.byteLength, !isSourcePage(task.page))
  const copy = house.suspects.copyOf(outcome.page)
  const reply = await parsePage(house, outcome.page, signal)
  if (reply.kind === 'faulted') return await settleFaulted(house, outcome.page, copy, reply)
  if (reply.blocked === undefined) return await settleRead(house, task, outcome.page, reply)
  house.recall.forget(task)
  return await settle(house, task, afterAll)
}
