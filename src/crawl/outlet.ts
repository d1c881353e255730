import type { Fault } from '../core/errors.ts'
import type { SkipReason } from '../core/fate.ts'
import type { Page } from '../core/page.ts'
import type { Task } from '../core/task.ts'
import type { ParseReply } from '../core/wire.ts'

/** Where what came of a URL goes: files, or whoever iterates over the run. Each waits while its reader is behind. */
export interface Outlet {
  /** What the parser is to give: output lines, or objects. */
  readonly want: 'bytes' | 'objects'
  /** @throws SINK_FAILED */
  page(task: Task, page: Pick<Page, 'status'>, reply: ParseReply & { readonly kind: 'parsed' }): Promise<void>
  /** @throws SINK_FAILED */
  dead(task: Task, fault: Fault, status: number | null): Promise<void>
  skipped(task: Task, reason: SkipReason): Promise<void>
}
