import { realClock, realEnv } from '../core/clock.ts'
import { MillraceError, toFault } from '../core/errors.ts'
import type { Job } from '../job/job.ts'
import { loadJob } from '../job/load-job.ts'
import { startAnswerServer } from './answer-server.ts'
import { madeRule, ownBenchJob } from './bench-job.ts'
import type { Dials } from './figures.ts'
import { type GivenPages, makePages, readPages } from './given-pages.ts'
import { type PageServer, startPageServer } from './page-server.ts'
import type { JobSource, Question, Reply, Serving } from './question.ts'
import { runRow } from './run-row.ts'

/** Seeds are of no matter here, but a job without any is none. */
const jobOf = async (source: JobSource): Promise<Job> =>
  source === null ? ownBenchJob() : loadJob(source.file, source.overrides, ['http://127.0.0.1/'])

const pagesOf = async (source: JobSource, pageBytes: number, { weight }: Dials): Promise<GivenPages> =>
  source === null ? makePages(pageBytes, weight, madeRule) : readPages(await jobOf(source), source.paths)

/** Answers questions one after the other, in a process of its own. */
export function createAnswerer(): (question: Question) => Promise<Reply> {
  let server: PageServer | null = null

  async function answer(question: Question): Promise<unknown> {
    switch (question.ask) {
      case 'serve': {
        const { pages, rules, meanBytes } = await pagesOf(question.source, question.pageBytes, question.dials)
        server = await startPageServer(pages, question.dials, realEnv)
        return { origin: `http://127.0.0.1:${server.port}`, rules, meanBytes } satisfies Serving
      }
      case 'replay':
        server = await startAnswerServer(question.answers, realClock)
        return `http://127.0.0.1:${server.port}`
      case 'seen':
        if (server === null) throw new MillraceError('INVARIANT', 'this process of the bench serves no pages')
        return server.read()
      case 'row':
        return runRow(await jobOf(question.source), question.task)
      default:
        return question satisfies never
    }
  }

  return question =>
    answer(question).then(
      found => ({ answer: found }),
      (thrown: unknown) => ({ fault: toFault(thrown, 'INVARIANT') }),
    )
}
