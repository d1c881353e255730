import { listen } from '../core/events.ts'
import type { HostKey } from '../core/url.ts'

/**
 * Notices a part of a host that hangs where the rest of it answers: three time-outs in a row under one first step of the
 * path. A limiter sees the host as a whole and must not cut for it; whoever reads the report can leave that part out.
 */
export interface PathNotes extends Disposable {
  /** In the order in which they were noticed. */
  of(host: HostKey): readonly string[]
}

const rowWanted = 3
/** Of parts that fail at the moment, and of hosts with notes: a run over a million hosts still ends. */
const mostKept = 10_000
const mostOfHost = 20

/** `/shop/` of `/shop/a/b`, and `/` of what lies at the top. */
function prefixOf(url: string): string {
  const { pathname } = new URL(url)
  const end = pathname.indexOf('/', 1)
  return end === -1 ? '/' : pathname.slice(0, end + 1)
}

export function gatherPathNotes(run: string): PathNotes {
  const rows = new Map<string, number>()
  const notes = new Map<HostKey, string[]>()

  function note(host: HostKey, prefix: string): void {
    const known = notes.get(host)
    const text = `${rowWanted} time-outs in a row under ${prefix}`
    if (known === undefined && notes.size < mostKept) notes.set(host, [text])
    else if (known !== undefined && known.length < mostOfHost && !known.includes(text)) known.push(text)
  }

  const listener = listen(run, {
    'task.fetched'({ task, code }) {
      if (code !== 'RESPONSE_TIMEOUT' && rows.size === 0) return
      const prefix = prefixOf(task.url)
      const key = `${task.host} ${prefix}`
      if (code === 'ABORTED') return
      if (code !== 'RESPONSE_TIMEOUT') return void rows.delete(key)
      const row = (rows.get(key) ?? 0) + 1
      if (row > 1 || rows.size < mostKept) rows.set(key, row)
      if (row === rowWanted) note(task.host, prefix)
    },
  })
  return { of: host => notes.get(host) ?? [], [Symbol.dispose]: () => listener[Symbol.dispose]() }
}
