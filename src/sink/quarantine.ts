import { hash } from 'node:crypto'
import { constants, type FileHandle, lstat, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, sinkFailure } from '../core/errors.ts'
import type { Page } from '../core/page.ts'

/** All that is needed to read a page again as it was read then; beside the body, as JSON. */
export interface DeadPage {
  readonly url: string
  readonly finalUrl: string
  /** Name of the page rule. */
  readonly page: string
  readonly depth: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly code: string
  readonly message: string
  readonly bodyBytes: number
  readonly at: string
}

/** Keeps pages that killed their thread twice, with their bodies. */
export interface Quarantine {
  /**
   * @param body as it came off the wire
   * @returns the path of the body; what else is known of the page is beside it, with `.json` added
   * @throws SINK_FAILED
   */
  setAside(page: Page, body: Uint8Array, fault: Fault, at: string): Promise<string>
}

/** Headers that say who asked are in the request; of an answer, this one is a secret. */
const secretHeaders: ReadonlySet<string> = new Set(['set-cookie'])

/** Never followed where it exists already: somebody else may have put a link there. */
const openFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * A name that any file system takes and that leads nowhere else: a hash, which no two pages share and which is no
 * device's name, then what is plain of the host.
 */
export function deadNameOf(taskId: string, host: string): string {
  const digest = hash('sha256', taskId, 'hex').slice(0, 16)
  const plain = host
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .slice(0, 60)
  return `${digest}-${plain}.body`
}

async function write(path: string, content: Uint8Array | string): Promise<void> {
  await rm(path, { force: true })
  const file: FileHandle = await open(path, openFlags)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

async function mustBeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (!(await lstat(folder)).isDirectory()) throw new Error('it is no folder of ours, but a link')
}

export function createQuarantine(folder: string): Quarantine {
  return {
    async setAside({ task, status, headers }, body, fault, at) {
      const path = join(folder, deadNameOf(task.id, task.host))
      const meta: DeadPage = {
        url: task.askedUrl,
        finalUrl: task.url,
        page: task.page,
        depth: task.depth,
        status,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name))),
        code: fault.code,
        message: fault.message,
        bodyBytes: body.byteLength,
        at,
      }
      try {
        await mustBeFolder(folder)
        await write(path, body)
        await write(`${path}.json`, `${JSON.stringify(meta, null, 2)}\n`)
      } catch (cause) {
        throw sinkFailure(path, 'could not be set aside', cause)
      }
      return path
    },
  }
}
