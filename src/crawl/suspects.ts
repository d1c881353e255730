import { errorTraits, type Fault } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import type { Page } from '../core/page.ts'
import type { Task } from '../core/task.ts'

/** Keeps a page with its body, and gives the command that reads it again. */
export type SetAside = (page: Page, body: Uint8Array, fault: Fault) => Promise<string>

/**
 * Pages in whose company a worker thread died. One death may be the fault of what the thread had been through before,
 * so the page is fetched once more, and loses no attempt by it; its body was moved to the thread and is gone with it. From
 * the second time the page is to blame: it is set aside and never tried again. The count is its task's, so that a run which
 * is stopped in between does not begin anew. Only bodies of suspects are copied before they are moved.
 *
 * Pages that no thread began with are none: they are fetched again a few times, at nobody's expense.
 */
export interface Suspects {
  /** The body of a page that may be set aside. Null: its thread never died. To be asked before it is parsed. */
  copyOf(page: Page): Uint8Array | null
  /** The page was read: nothing is remembered of it any more. */
  cleared(task: Task): void
  /** What becomes of a page that could not be parsed. @throws SINK_FAILED */
  fateAfter(page: Page, copy: Uint8Array | null, fault: Fault): Promise<Fate>
}

/** How often a page is fetched again because no thread began with it: whatever ails the threads does not end by itself. */
const mostUnbegun = 3

/** @param setAside null where a run leaves no files */
export function createSuspects(setAside: SetAside | null): Suspects {
  /** By task, how often no thread began with its page. */
  const unbegun = new Map<string, number>()
  const cleared = ({ id }: Task): void => void unbegun.delete(id)

  function fateOfUnbegun({ task, status }: Page, fault: Fault): Fate {
    const times = (unbegun.get(task.id) ?? 0) + 1
    if (times <= mostUnbegun) {
      unbegun.set(task.id, times)
      return { kind: 'retry', notBeforeMs: 0, charge: 'none', cause: { code: fault.code, status } }
    }
    cleared(task)
    return { kind: 'dead', fault, status }
  }

  return {
    copyOf: ({ task, body }) => (task.threadDeaths === undefined ? null : body.slice()),
    cleared,
    async fateAfter(page, copy, fault) {
      const { status } = page
      // Nothing was found out about the page.
      if (fault.code === 'PARSE_UNBEGUN') return fateOfUnbegun(page, fault)
      cleared(page.task)
      if (errorTraits[fault.code].retry !== 'once') return { kind: 'dead', fault, status }
      if (copy === null) return { kind: 'retry', notBeforeMs: 0, charge: 'thread', cause: { code: fault.code, status } }
      const replay = setAside === null ? null : await setAside(page, copy, fault)
      return { kind: 'dead', fault, status, ...(replay !== null && { replay }) }
    },
  }
}
