import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import type { Item, ParseReply } from '../core/wire.ts'
import { checkJob } from '../job/check-job.ts'
import type { Job } from '../job/job.ts'
import { loadJob } from '../job/load-job.ts'
import { type Look, look } from '../run/look.ts'
import { exitCodes } from './exit.ts'
import { bold, bytes, dim, print, printable, printableJson, red, tell } from './terminal.ts'

interface TryFlags {
  readonly select: readonly string[]
  readonly job?: string
  readonly page?: string
}

const linksShown = 10

/** `--select` gives every match of each selector, under the selector itself. */
function jobOf(flags: TryFlags, source: string): Job | Promise<Job> {
  const seeds = URL.canParse(source) ? [source] : ['http://localhost/']
  if (flags.job !== undefined) return loadJob(flags.job, [], seeds)
  const selects = flags.select.length > 0 ? flags.select : ['title', 'h1']
  const item = Object.fromEntries(selects.map(selector => [selector, [selector]]))
  return checkJob(
    { name: 'try', seeds, scope: 'any', item, follow: ['a'] },
    { path: '--select', baseDir: process.cwd() },
  )
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
    .option('--page <name>', 'the page rule to use (default: the first that fits the URL)')
    .action(async (source: string, flags: TryFlags) => {
      const seen = await look(source, await jobOf(flags, source), flags.page ?? null)
      end(tellLook(seen))
    })
}

function tellLook(seen: Look): number {
  const [first, second] = seen.replies
  if (first === undefined || second === undefined) return exitCodes.fault
  const { reply } = first
  if (seen.status !== null && seen.finalUrl !== seen.url)
    tell(dim(`${printable(seen.url)} is at ${printable(seen.finalUrl)}`))
  if (reply.kind === 'faulted') {
    tell(`${red(reply.fault.code)}  ${printable(reply.fault.message)}`)
    return exitCodes.fault
  }
  const status = seen.status === null ? 'file' : `status ${seen.status}`
  tell(
    dim(
      `${status}, ${bytes(seen.bodyBytes)}, ${reply.charset}, page rule ${seen.page}, ${first.parser} parser, ${reply.engine} engine, ${reply.cpuMs.toFixed(1)} ms CPU`,
    ),
  )
  for (const item of reply.items) print(printableJson(item, 2))
  if (reply.items.length === 0) tell('No item: this page is read for its links only.')
  tellLinks(reply)
  tellDifferences(reply.items, second)
  return exitCodes.finished
}

function tellLinks({ links }: ParseReply & { readonly kind: 'parsed' }): void {
  if (links.length === 0) return
  tell(dim(`${links.length} links to follow:`))
  for (const { url, page } of links.slice(0, linksShown)) tell(dim(`  ${page}  ${printable(url)}`))
  if (links.length > linksShown) tell(dim(`  and ${links.length - linksShown} more`))
}

/** The two ways to read HTML differ on few pages; where they do, the values are shown side by side. */
function tellDifferences(items: readonly Item[], { parser, reply }: Look['replies'][number]): void {
  const others = reply.kind === 'parsed' ? reply.items : []
  for (const [index, item] of items.entries())
    for (const [name, value] of Object.entries(item)) {
      const other = others[index]?.[name]
      if (!isDeepStrictEqual(value, other))
        tell(`${bold(printable(name))} differs with the ${parser} parser: ${printable(JSON.stringify(other ?? null))}`)
    }
}
