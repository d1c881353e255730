import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { realEnv } from '../core/clock.ts'
import { faultOf, MillraceError } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import { newTask, type Reach, startPage } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { ParseReply } from '../core/wire.ts'
import type { PageRule } from '../extract/page-rule.ts'
import type { Job } from '../job/job.ts'
import { createInlineParser } from '../parse/inline.ts'
import { createRoutes } from '../scope/routes.ts'
import { createJobFetcher } from './job-fetcher.ts'
import { stageRulesOf } from './stage-rules.ts'

/** One page, looked at while a job is being written. */
export interface Look {
  readonly url: string
  readonly finalUrl: string
  readonly status: number | null
  readonly page: string
  readonly bodyBytes: number
  /** By the parser of the page rule, then by the other one: where they differ, one must choose. */
  readonly replies: readonly { readonly parser: PageRule['parser']; readonly reply: ParseReply }[]
}

interface Found {
  readonly url: string
  readonly status: number | null
  readonly body: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly contentCoding: string
}

/**
 * Fetches one URL or reads one file, and extracts it as the job would, with both ways to read HTML. A look is asked for
 * by hand: it waits for no gate and asks no robots file.
 * @throws MillraceError with the code of what went wrong
 */
export async function look(source: string, job: Job, pageName: string | null): Promise<Look> {
  const asked = sendableUrl(source)
  const found = asked === null ? await readPage(source) : await fetchPage(asked.href, job)
  const rules = stageRulesOf(job)
  const routes = createRoutes(job.pages, job.scope, rules.seedHosts)
  const names = job.pages.map(({ name }) => name)
  if (pageName !== null && !names.includes(pageName))
    throw new MillraceError('CONFIG_INVALID', `no page rule is called "${pageName}"; the job has ${names.join(', ')}`)
  const page = pageName ?? routes.pageOf(new URL(found.url)) ?? startPage
  const chosen = job.pages.find(({ name }) => name === page)?.parser ?? 'fast'
  const fetchedAt = realEnv.clock.wallIso()
  const replies: { parser: PageRule['parser']; reply: ParseReply }[] = []
  for (const parser of [chosen, chosen === 'fast' ? 'browser' : 'fast'] as const) {
    const pages = job.pages.map(rule => ({ ...rule, parser }))
    await using inline = createInlineParser({ ...rules, pages })
    const { contentType, contentCoding } = found
    const request = {
      body: new Uint8Array(found.body),
      contentType,
      contentCoding,
      askedUrl: asked?.href ?? found.url,
      finalUrl: found.url,
      page,
    }
    const reply = await inline.parse({ ...request, depth: 0, fetchedAt, want: 'objects' }, new AbortController().signal)
    replies.push({ parser, reply })
  }
  return { url: source, finalUrl: found.url, status: found.status, page, bodyBytes: found.body.byteLength, replies }
}

async function readPage(path: string): Promise<Found> {
  try {
    return {
      url: pathToFileURL(path).href,
      status: null,
      body: new Uint8Array(await readFile(path)),
      contentType: '',
      contentCoding: '',
    }
  } catch (cause) {
    throw new MillraceError('CONFIG_INVALID', `${path} is neither a URL (http, https) nor a file that can be read`, {
      cause,
    })
  }
}

async function fetchPage(start: string, job: Job): Promise<Found> {
  const { max } = job.redirects
  await using fetcher = await createJobFetcher(job, realEnv)
  let url = start
  let reach: Reach = 'any'
  for (let hops = 0; hops <= max; hops += 1) {
    const outcome = await fetcher.fetch(
      { task: newTask(url, new URL(url), startPage, { reach }), proxy: null, grow: () => {} },
      new AbortController().signal,
    )
    if (outcome.kind === 'page') {
      const { status, headers: answered, body } = outcome.page
      return {
        url,
        status,
        body,
        contentType: answered['content-type'] ?? '',
        contentCoding: answered['content-encoding'] ?? '',
      }
    }
    if (outcome.kind !== 'moved') throw failureOf(url, outcome)
    ;({ url, reach } = outcome)
  }
  throw new MillraceError('REDIRECT_LIMIT', `${start} is redirected more than ${max} times`)
}

function failureOf(url: string, outcome: Exclude<Outcome, { kind: 'page' | 'moved' }>): MillraceError {
  const { code, message } =
    outcome.kind === 'failed' ? outcome.fault : faultOf('HTTP_STATUS', `${url} answered ${outcome.status}`)
  return new MillraceError(code, message)
}
