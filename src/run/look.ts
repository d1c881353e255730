import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { realEnv } from '../core/clock.ts'
import { faultOf, MillraceError } from '../core/errors.ts'
import { createEvents } from '../core/events.ts'
import type { Outcome } from '../core/outcome.ts'
import { newTask, type Reach, startPage } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { FieldDifference, JsonObject, ParseReply, ParseRequest } from '../core/wire.ts'
import { type PageRule, startPageRule } from '../extract/page-rule.ts'
import type { Job } from '../job/job.ts'
import { createRoutes } from '../scope/routes.ts'
import { differencesOf } from '../stage/differences.ts'
import { type ExplainedPlan, explainPlan } from './explained-plan.ts'
import { fetchThrough } from './fetch-through.ts'
import { createJobFetcher } from './job-fetcher.ts'
import { createPagePool } from './page-pool.ts'
import { withPlainOutput } from './plain-output.ts'
import type { Environment } from './proxy-list.ts'
import { openRunProxies } from './run-proxies.ts'
import { stageRulesOf } from './stage-rules.ts'

/** One page, looked at while a job is being written. */
export interface Look {
  readonly url: string
  readonly finalUrl: string
  readonly status: number | null
  readonly page: string
  readonly bodyBytes: number
  /** By the parser of the page rule, then by the other one: where they differ, one must choose. */
  readonly replies: readonly [Looked, Looked]
  /** Where the two find different values; none where one of them finds nothing. */
  readonly differences: readonly FieldDifference[]
  /** Which engine reads the page by the parser of its rule, and why. Null: a module of the job reads it. */
  readonly plan: ExplainedPlan | null
}

/** The page as one of the parsers reads it. */
export interface Looked {
  readonly parser: PageRule['parser']
  readonly reply: ParseReply
}

interface Found {
  readonly url: string
  readonly status: number | null
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Fetches one URL or reads one file, and extracts it as the job would, with both ways to read HTML, in threads and under
 * their deadline. A look is asked for by hand: it waits for no gate and asks no robots file.
 * @param meta what stands beside the seed; null: what the job has beside a seed of this URL
 * @throws MillraceError with the code of what went wrong
 */
export async function look(
  source: string,
  job: Job,
  pageName: string | null,
  environment: Environment = {},
  meta: JsonObject | null = null,
): Promise<Look> {
  const asked = sendableUrl(source)
  const found = asked === null ? await readPage(source) : await fetchPage(asked.href, job, environment)
  const plain = withPlainOutput(job)
  const routes = createRoutes(job.pages, job.scope, stageRulesOf(plain).seedHosts)
  const names = job.pages.map(({ name }) => name)
  if (pageName !== null && !names.includes(pageName))
    throw new MillraceError('CONFIG_INVALID', `no page rule is called "${pageName}"; the job has ${names.join(', ')}`)
  const seed = job.seeds.flatMap(each => (each.kind === 'url' ? [each.seed] : [])).find(({ url }) => url === source)
  const page = pageName ?? seed?.page ?? routes.pageOf(new URL(found.url)) ?? startPage
  const rule = job.pages.find(({ name }) => name === page) ?? startPageRule
  const askedUrl = asked?.href ?? found.url
  const fetchedAt = realEnv.clock.wallIso()
  const read = async (parser: PageRule['parser']): Promise<Looked> => {
    const pages = job.pages.map(other => ({ ...other, parser }))
    // A module that is being written, a pattern or a tree may take for ever, and ends here as it would in a run.
    await using pool = createPagePool({ ...plain, pages, audit: 0 }, 1)
    await pool.ready()
    const reply = await pool.parse(
      { ...requestOf(found, askedUrl, page), fetchedAt, meta: meta ?? seed?.meta ?? null },
      new AbortController().signal,
    )
    return { parser, reply }
  }
  const replies = await Promise.all([read(rule.parser), read(rule.parser === 'fast' ? 'browser' : 'fast')])
  return {
    url: source,
    finalUrl: found.url,
    status: found.status,
    page,
    bodyBytes: found.body.byteLength,
    replies,
    differences: compare(replies, rule),
    plan: explainPlan(rule),
  }
}

const requestOf = (
  { url, status, headers, body }: Found,
  askedUrl: string,
  page: string,
): Omit<ParseRequest, 'fetchedAt'> => ({
  body: new Uint8Array(body),
  contentType: headers['content-type'] ?? '',
  contentCoding: headers['content-encoding'] ?? '',
  askedUrl,
  finalUrl: url,
  page,
  depth: 0,
  want: 'objects',
  ...(status !== null && { status, headers }),
})

function compare([one, other]: Look['replies'], rule: PageRule): readonly FieldDifference[] {
  if (one.reply.kind === 'faulted' || other.reply.kind === 'faulted') return []
  const isSeveral = rule.items !== undefined || one.reply.items.length > 1 || other.reply.items.length > 1
  const [fast, browser] = (one.parser === 'fast' ? [one.reply, other.reply] : [other.reply, one.reply]).map(
    ({ items, links }) => ({
      item: isSeveral ? null : (items[0] ?? null),
      items: isSeveral ? items : [],
      links: links.map(({ url }) => ({ value: url })),
    }),
  )
  return fast === undefined || browser === undefined ? [] : differencesOf(fast, browser)
}

async function readPage(path: string): Promise<Found> {
  try {
    return {
      url: pathToFileURL(path).href,
      status: null,
      body: new Uint8Array(await readFile(path)),
      headers: {},
    }
  } catch (cause) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `${path} is neither a URL that begins with http:// or https:// nor a file that can be read`,
      {
        cause,
      },
    )
  }
}

/** One page needs no budget. */
const unweighed = (): void => {}

async function fetchPage(start: string, job: Job, environment: Environment): Promise<Found> {
  const { max } = job.redirects
  await using fetcher = await createJobFetcher(job, realEnv)
  const events = createEvents(`look at ${start}`)
  const proxies = await openRunProxies(job, { env: realEnv, events, environment, onReturned: () => {} })
  let url = start
  let reach: Reach = 'any'
  for (let hops = 0; hops <= max; hops += 1) {
    const task = newTask(url, new URL(url), startPage, { reach })
    const stored = fetcher.recall?.has(task) ? await fetcher.recall.take(task, unweighed) : null
    const outcome = stored ?? (await fetchThrough(fetcher.fetch, proxies.gate, task, job.retries.proxy, realEnv.clock))
    if (outcome.kind === 'page') {
      const { status, headers, body } = outcome.page
      return { url, status, headers, body }
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
