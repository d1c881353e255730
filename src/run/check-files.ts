import { createTls } from '../fetch/tls.ts'
import type { Job } from '../job/job.ts'
import { certificatesOf } from './certificates.ts'
import { createPagePool } from './page-pool.ts'

/**
 * Whether the files that a job names can be used, found out as a run would: certificates are read, and modules are loaded
 * in a thread.
 * @throws CONFIG_INVALID the first one that cannot
 */
export async function checkFiles(job: Job): Promise<void> {
  createTls({ ca: await certificatesOf(job) })
  if (job.pages.every(({ module }) => module === undefined)) return
  await using parser = createPagePool(job, 1)
  await parser.ready()
}
