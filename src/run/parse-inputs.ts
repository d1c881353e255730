import { realClock } from '../core/clock.ts'
import { type Fault, faultOf } from '../core/errors.ts'
import type { ParseReply } from '../core/wire.ts'
import type { Job } from '../job/job.ts'
import type { Parser } from '../parse/parser.ts'
import type { BadInput, Input } from './input.ts'
import { pageFinderOf } from './page-finder.ts'
import { createPagePool } from './page-pool.ts'
import { withPlainOutput } from './plain-output.ts'

export interface ParseInputsOptions {
  readonly threads: number
  /** The page rule to use. Null: the one the input names, or the first that fits its URL. */
  readonly page: string | null
}

/** Pages that may be on their way beside those that are parsed: replies come in the order of the inputs. */
const ahead = 4

const never = new AbortController().signal

/**
 * The parse stage alone: what each input gives, as output lines, in the order of the inputs.
 * @throws CONFIG_INVALID a module of the job cannot be loaded
 */
export async function* parseInputs(
  job: Job,
  inputs: AsyncIterable<Input | BadInput>,
  { threads, page }: ParseInputsOptions,
): AsyncGenerator<ParseReply> {
  await using parser = createPagePool(withPlainOutput(job), threads)
  await parser.ready()
  const pageOf = inputPageOf(job, page)
  const replies: Promise<ParseReply>[] = []
  for await (const input of inputs) {
    const reply = parseOne(parser, input, pageOf)
    // Whoever reads it hears of a failure; until then nobody does.
    reply.catch(() => {})
    replies.push(reply)
    const first = replies.length < threads + ahead ? undefined : replies.shift()
    if (first !== undefined) yield await first
  }
  for (const reply of replies) yield await reply
}

/** A job with one kind of page reads every input with it: files have no URL that a rule could have been written for. */
function inputPageOf(job: Job, chosen: string | null): (input: Input) => string | Fault {
  const pageOf = pageFinderOf(job)
  const [first, ...others] = job.pages
  const only = others.length === 0 ? first?.name : undefined
  return ({ page: named, finalUrl: url }) => {
    const page = chosen ?? named ?? only
    if (page !== undefined) return pageOf({ url, page })
    const found = pageOf({ url })
    return typeof found === 'string' ? found : faultOf(found.code, `${found.message}: ${howToName}`)
  }
}

const howToName = 'name one with --page, or with --url say where the page comes from'

async function parseOne(
  parser: Parser,
  input: Input | BadInput,
  pageOf: (input: Input) => string | Fault,
): Promise<ParseReply> {
  if ('reason' in input) return refused(faultOf('CONFIG_INVALID', `${input.place}: ${input.reason}`))
  const page = pageOf(input)
  if (typeof page !== 'string') return refused(page)
  const { url, ...rest } = input
  const asked = { ...rest, page, askedUrl: url, fetchedAt: input.at ?? realClock.wallIso(), want: 'bytes' } as const
  return await parser.parse(asked, never)
}

const refused = (fault: Fault): ParseReply => ({ kind: 'faulted', fault, cpuMs: 0 })
