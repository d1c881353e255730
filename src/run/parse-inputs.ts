import { realClock } from '../core/clock.ts'
import { faultOf } from '../core/errors.ts'
import type { ParseReply } from '../core/wire.ts'
import type { Job } from '../job/job.ts'
import type { Parser } from '../parse/parser.ts'
import { createRoutes } from '../scope/routes.ts'
import type { BadInput, Input } from './input.ts'
import { createPagePool } from './page-pool.ts'
import { withPlainOutput } from './plain-output.ts'
import { stageRulesOf } from './stage-rules.ts'

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
  const pageOf = pageFinder(job, page)
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
function pageFinder(job: Job, chosen: string | null): (input: Input) => string | null {
  const routes = createRoutes(job.pages, job.scope, stageRulesOf(job).seedHosts)
  const [only, ...others] = job.pages
  const isKnown = (name: string): boolean => job.pages.some(page => page.name === name)
  return ({ page, finalUrl }) => {
    const name = chosen ?? page ?? routes.pageOf(new URL(finalUrl))
    if (name === null) return others.length === 0 ? (only?.name ?? null) : null
    return isKnown(name) ? name : null
  }
}

async function parseOne(
  parser: Parser,
  input: Input | BadInput,
  pageOf: (input: Input) => string | null,
): Promise<ParseReply> {
  if ('reason' in input) return refused(`${input.place}: ${input.reason}`)
  const page = pageOf(input)
  if (page === null)
    return refused(
      `no page rule fits ${input.finalUrl}: name one with --page, or with --url say where the page comes from`,
    )
  const { url, ...rest } = input
  const asked = { ...rest, page, askedUrl: url, fetchedAt: input.at ?? realClock.wallIso(), want: 'bytes' } as const
  const reply = await parser.parse(asked, never)
  if (reply.kind === 'parsed') return reply
  // No dead letter stands around it that would name the page.
  const { code, message } = reply.fault
  return message.includes(input.finalUrl) ? reply : { ...reply, fault: faultOf(code, `${input.finalUrl}: ${message}`) }
}

const refused = (message: string): ParseReply => ({
  kind: 'faulted',
  fault: faultOf('CONFIG_INVALID', message),
  cpuMs: 0,
})
