import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { loadJob } from '../job/load-job.ts'
import { finishedReport, leftovers } from '../out-folder.ts'
import { type CrawlOptions, crawl } from '../run.ts'
import { exitCodes } from './exit.ts'
import { count, printable, tell } from './terminal.ts'
import { watchRun } from './watch-run.ts'

interface RunFlags {
  readonly out?: string
  readonly preset?: string
  readonly threads?: number
  readonly maxPages?: number
  readonly set: readonly string[]
  readonly strict?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
  readonly restart?: boolean
}

const wholeNumber =
  (least: number) =>
  (text: string): number => {
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`a whole number of at least ${least} is accepted.`)
    return Number(text)
  }

function setting(text: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('path=value is accepted, for example limits.inFlight=64.')
  return [...before, text]
}

/** `a.b=c` as the path and the value it sets. */
function overrideOf(text: string): { readonly path: string; readonly value: string } {
  const at = text.indexOf('=')
  return { path: text.slice(0, at), value: text.slice(at + 1) }
}

/** A run that has ended is not done again. */
async function tellFinished(folder: string): Promise<boolean> {
  const report = await finishedReport(folder)
  if (report === null) return false
  tell(
    `${printable(report.name)} is finished already, with ${count(report.items)} items in ${printable(folder)}. --restart begins anew.`,
  )
  return true
}

async function tellRemoved(folder: string): Promise<void> {
  const left = await leftovers(folder)
  if (left.length > 0) tell(`Begins anew: removes ${left.join(', ')} from ${printable(folder)}`)
}

export function runCommand(end: (exitCode: number) => void): Command {
  return new Command('run')
    .description('run a job: fetch, extract, and write items.jsonl, dead.jsonl, report.json and run.log')
    .argument('<job>', 'job file: YAML, JSON, or a TS/JS module exporting `job`')
    .argument('[urls...]', 'more seeds')
    .option('--out <dir>', 'folder for the output (default: the name of the job)')
    .option('--preset <name>', 'polite, general or bulk')
    .option('--threads <n>', 'worker threads for parsing', wholeNumber(1))
    .option('--max-pages <n>', 'stop after this many pages', wholeNumber(1))
    .option('--set <path=value>', 'change one setting of the job; may be repeated', setting, [])
    .option('--strict', 'exit with 3 when URLs ended dead')
    .option('--quiet', 'no progress and no summary')
    .option('--json', 'print the report as JSON on standard output at the end')
    .option('--restart', 'begin anew: removes what an earlier run left in the folder')
    .action(async (file: string, urls: readonly string[], flags: RunFlags) => {
      const overrides = flags.set.map(overrideOf)
      if (flags.preset !== undefined) overrides.push({ path: 'preset', value: flags.preset })
      const job = await loadJob(file, overrides, urls)
      const folder = resolve(flags.out ?? job.name)
      const isRestart = flags.restart === true
      if (!isRestart && (await tellFinished(folder))) return end(exitCodes.finished)
      if (isRestart && flags.quiet !== true) await tellRemoved(folder)
      const options: CrawlOptions = {
        out: folder,
        restart: isRestart,
        ...(flags.threads === undefined ? {} : { threads: flags.threads }),
        ...(flags.maxPages === undefined ? {} : { maxPages: flags.maxPages }),
        seedInput: process.stdin,
      }
      const watching = { quiet: flags.quiet === true, json: flags.json === true, folder }
      const { report, signalled } = await watchRun(crawl(job, options), watching)
      if (signalled !== null) end(signalled)
      else end(flags.strict === true && report.ledger.failed > 0 ? exitCodes.dead : exitCodes.finished)
    })
}
