import type { Job } from '../job/job.ts'

/** A job whose items go to whoever reads pages by hand: lines of JSON, and no archive. */
export const withPlainOutput = (job: Job): Job => ({
  ...job,
  output: { ...job.output, format: 'jsonl', warc: null },
  webhook: null,
})
