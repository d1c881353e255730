import { Command } from 'commander'
import { MillraceError } from '../core/errors.ts'
import { startPage } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { JsonObject, ParseReply } from '../core/wire.ts'
import { checkJob } from '../job/check-job.ts'
import { withIgnoredRobots } from '../job/ignored-robots.ts'
import type { Job } from '../job/job.ts'
import { overrideJob } from '../job/job-override.ts'
import { loadJob } from '../job/load-job.ts'
import { type Look, look } from '../run/look.ts'
import { exitCodes } from './exit.ts'
import { cacheOverrides, hostList } from './setting.ts'
import { tellPlan } from './tell-plan.ts'
import { bold, bytes, counted, dim, print, printable, printableJson, red, tell } from './terminal.ts'
import { unroutedText } from './unrouted-text.ts'
import { watchTry } from './watch-try.ts'

interface TryFlags {
  readonly explain?: boolean
  readonly json?: boolean
  readonly select: readonly string[]
  readonly ignoreRobots: readonly string[]
  readonly job?: string
  readonly page?: string
  readonly cache?: string
  readonly watch?: boolean
  readonly meta?: string
}

type Parsed = ParseReply & { readonly kind: 'parsed' }

const linksShown = 10

/** `--select` gives every match of each selector, under the selector itself. */
function jobOf(flags: TryFlags, source: string): Job | Promise<Job> {
  const seeds = sendableUrl(source) === null ? ['http://localhost/'] : [source]
  const cached = flags.cache === undefined ? [] : cacheOverrides(flags.cache)
  if (flags.job !== undefined) return loadJob(flags.job, cached, seeds, flags.ignoreRobots)
  const selects = flags.select.length > 0 ? flags.select : ['title', 'h1']
  const item = Object.fromEntries(selects.map(selector => [selector, [selector]]))
  const written = overrideJob({ name: 'try', seeds, scope: 'any', item, follow: ['a'] }, cached)
  return checkJob(withIgnoredRobots(written, flags.ignoreRobots), {
    path: '--select',
    baseDir: process.cwd(),
  })
}

/** What stands beside a seed, in JSON. @throws CONFIG_INVALID */
function metaOf(text: string | undefined): JsonObject | null {
  if (text === undefined) return null
  const refuse = (cause?: unknown): MillraceError =>
    new MillraceError('CONFIG_INVALID', `--meta: ${text} is not accepted; expected JSON such as {"sku": 5}`, { cause })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw refuse(thrown)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse()
  return value as JsonObject
}

/** The job and its modules; a job that is broken just now is watched until it is mended. */
async function filesOf(flags: TryFlags, source: string): Promise<readonly string[]> {
  const job = await Promise.resolve(jobOf(flags, source)).catch(() => null)
  const modules = job?.pages.flatMap(({ module }) => (module === undefined ? [] : [module])) ?? []
  return [...(flags.job === undefined ? [] : [flags.job]), ...modules]
}

export function tryCommand(end: (exitCode: number) => void): Command {
  return new Command('try')
    .description('look at one page: what would be extracted, and with which engine')
    .argument('<url or file>', 'an http(s) URL, or a file with HTML')
    .option(
      '--select <css>',
      'a selector to try; may be repeated',
      (selector, before: readonly string[]) => [...before, selector],
      [],
    )
    .option('--job <job>', 'extract as this job would')
    .option('--ignore-robots <hosts>', 'as in run; a look asks no robots file, whoever it asks', hostList, [])
    .option('--cache <dir>', 'fetch the page once, and read it from this folder after that')
    .option('--page <name>', 'the page rule to use (default: the first that fits the URL)')
    .option('--meta <json>', 'what stands beside the seed (default: what the job has beside a seed of this URL)')
    .option('--explain', 'tell which fields stream, and why others need the tree')
    .option('--json', 'print all that is known of the page as JSON')
    .option('--watch', 'look again whenever the job or a module of it changes; the page is fetched once')
    .action(async (source: string, flags: TryFlags) => {
      if (flags.watch === true) {
        if (flags.job === undefined)
          throw new MillraceError('CONFIG_INVALID', '--watch: there is nothing to watch without --job <job>')
        const args = process.argv.slice(2).filter(argument => argument !== '--watch')
        return end(await watchTry(args, flags.cache !== undefined, () => filesOf(flags, source)))
      }
      const meta = metaOf(flags.meta)
      const seen = await look(source, await jobOf(flags, source), flags.page ?? null, process.env, meta)
      const isExplained = flags.explain === true
      end(flags.json === true ? printLook(seen, isExplained) : tellLook(seen, isExplained))
    })
}

function printLook(seen: Look, isExplained: boolean): number {
  const { replies, differences, plan, ...where } = seen
  const [{ parser, reply }] = replies
  const found =
    reply.kind === 'faulted'
      ? { fault: reply.fault }
      : {
          charset: reply.charset,
          engine: reply.engine,
          cpuMs: reply.cpuMs,
          items: reply.items,
          refused: reply.refused ?? [],
          links: reply.links,
          unrouted: reply.unrouted ?? null,
        }
  print(printableJson({ ...where, parser, ...found, differences, ...(isExplained && { plan }) }, 2))
  return reply.kind === 'faulted' ? exitCodes.fault : exitCodes.finished
}

function tellLook(seen: Look, isExplained: boolean): number {
  const [{ parser, reply }, other] = seen.replies
  if (seen.status !== null && seen.finalUrl !== seen.url)
    tell(dim(`${printable(seen.url)} is at ${printable(seen.finalUrl)}`))
  if (isExplained) tellPlan(seen.page, seen.plan)
  if (reply.kind === 'faulted') {
    tell(`${red(reply.fault.code)}  ${printable(reply.fault.message)}`)
    return exitCodes.fault
  }
  const status = seen.status === null ? 'file' : `status ${seen.status}`
  tell(
    dim(
      `${status}, ${bytes(seen.bodyBytes)}, ${reply.charset}, page rule ${seen.page}, ${parser} parser, ${reply.engine} engine, ${reply.cpuMs.toFixed(1)} ms CPU`,
    ),
  )
  if (seen.page === startPage)
    tell(
      `No page rule fits ${printable(seen.finalUrl)}: a seed that fits none is read for its links, a link to it is not followed. ` +
        '`match` of the page rules says what fits; --page <name> reads it by that rule.',
    )
  for (const item of reply.items) print(printableJson(item, 2))
  const refused = reply.refused ?? []
  for (const { code, message } of refused) tell(`Not kept: ${red(code)}  ${printable(message)}`)
  if (reply.items.length + refused.length === 0) tell(`No item: ${whyNone(reply, seen)}.`)
  tellLinks(reply)
  if (other.reply.kind === 'faulted')
    tell(`With the ${other.parser} parser: ${red(other.reply.fault.code)}  ${printable(other.reply.fault.message)}`)
  tellDifferences(seen)
  return exitCodes.finished
}

function whyNone({ engine, blocked, noindex }: Parsed, { plan }: Look): string {
  if (blocked !== undefined) return `the page bears the block sign ${printable(blocked.name)}`
  if (noindex === true) return 'the page asks not to be kept (noindex)'
  if (engine === 'module') return 'the module gave none'
  const wantsItems = plan?.fields.some(({ path }) => path.startsWith('items')) ?? false
  return wantsItems ? 'nothing on the page fits the selector of `items`' : 'this page is read for its links only'
}

function tellLinks({ links, unrouted }: Parsed): void {
  if (links.length > 0) tell(dim(`${counted(links.length, 'link')} to follow:`))
  for (const { url, page } of links.slice(0, linksShown)) tell(dim(`  ${page}  ${printable(url)}`))
  if (links.length > linksShown) tell(dim(`  and ${links.length - linksShown} more`))
  if (unrouted) tell(`Not fetched: ${unroutedText(unrouted)}.`)
}

/** The two ways to read HTML differ on few pages; where they do, the values are shown side by side. */
function tellDifferences({ differences }: Look): void {
  for (const { path, fast, browser } of differences) {
    tell(`${bold(printable(path))} differs by parser:`)
    tell(`  fast     ${printable(fast)}`)
    tell(`  browser  ${printable(browser)}`)
  }
}
