import type { Job } from '../job/job.ts'

/** A job whose items go to whoever reads pages by hand: lines of JSON, and no archive. */
export const withPlainOutput = (job: Job): Job => ({
  ...job,
  output: { ...job.output, format: 'jsonl', warc: null },
  webhook: null,
})

/** A job whose items go down a pipe: lines of JSON whose ids tell them apart, since nobody can take them back. */
export const withPipedOutput = (job: Job): Job => {
  const { output, ...rest } = withPlainOutput(job)
  return { ...rest, output: { ...output, ids: true } }
}
