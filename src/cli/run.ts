import { resolve } from 'node:path'
import { Command } from 'commander'
import { MillraceError } from '../core/errors.ts'
import { loadJob } from '../job/load-job.ts'
import type { Report } from '../observe/report.ts'
import { finishedReport, leftovers } from '../run/out-folder.ts'
import { withPipedOutput } from '../run/plain-output.ts'
import { type CrawlOptions, crawl } from '../run/run.ts'
import { exitCodes } from './exit.ts'
import { wholeNumber } from './number.ts'
import { hostList, overridesOf, setting } from './setting.ts'
import { counted, printable, tell } from './terminal.ts'
import { watchRun } from './watch-run.ts'

interface RunFlags {
  readonly out?: string
  readonly preset?: string
  readonly audit?: string
  readonly cache?: string
  readonly record?: string
  readonly threads?: number
  readonly maxPages?: number
  readonly set: readonly string[]
  readonly ignoreRobots: readonly string[]
  readonly strict?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
  readonly restart?: boolean
}

/** A run that has ended is not done again, and ends as it did. Null: it has not ended. */
async function tellFinished(folder: string, isStrict: boolean): Promise<number | null> {
  const report = await finishedReport(folder)
  if (report === null) return null
  tell(
    `${printable(report.name)} is finished already, with ${counted(report.items, 'item')} in ${printable(folder)}. --restart begins anew.`,
  )
  return endOf(report, isStrict)
}

const endOf = ({ ledger }: Report, isStrict: boolean): number =>
  isStrict && ledger.failed > 0 ? exitCodes.dead : exitCodes.finished

async function tellRemoved(folder: string): Promise<void> {
  const left = await leftovers(folder)
  if (left.length > 0) tell(`Begins anew: removes ${left.join(', ')} from ${printable(folder)}`)
}

export function runCommand(end: (exitCode: number) => void): Command {
  return new Command('run')
    .description('run a job: fetch, extract, and write items.jsonl, dead.jsonl, report.json, report.html and run.log')
    .argument('<job>', 'job file: YAML, JSON, or a TS/JS module exporting `job`')
    .argument('[urls...]', 'more seeds')
    .option('--out <dir>', 'folder for the output (default: the name of the job); - prints items on standard output')
    .option('--preset <name>', 'polite, general or bulk')
    .option('--threads <n>', 'worker threads for parsing', wholeNumber(1))
    .option('--max-pages <n>', 'stop after this many pages', wholeNumber(1))
    .option('--set <path=value>', 'change one setting of the job; may be repeated', setting, [])
    .option(
      '--ignore-robots <hosts>',
      'do not ask for the robots files of these hosts, whose owner agreed: a.test,b.test; may be repeated',
      hostList,
      [],
    )
    .option('--audit <share>', 'read this part of the pages by both parsers, such as 0.01, and report what differs')
    .option(
      '--cache <dir>',
      'answer from this folder what was fetched before, whatever its age, and keep what is fetched',
    )
    .option('--record <file>', 'keep every attempt in this web archive (.warc.gz), for `millrace bench --replay`')
    .option('--strict', 'exit with 3 when URLs ended dead')
    .option('--quiet', 'no progress and no summary')
    .option('--json', 'print the report as JSON on standard output at the end')
    .option('--restart', 'begin anew: removes what an earlier run left in the folder')
    .action(async (file: string, urls: readonly string[], flags: RunFlags) => {
      const loaded = await loadJob(file, overridesOf(flags), urls, flags.ignoreRobots)
      const isPiped = flags.out === '-'
      const job = isPiped ? withPipedOutput(loaded) : loaded
      const folder = isPiped ? null : resolve(flags.out ?? job.name)
      const isRestart = flags.restart === true
      if (isPiped && flags.json === true)
        throw new MillraceError(
          'CONFIG_INVALID',
          '--json prints on standard output, and so does --out -: leave one of them out',
        )
      const isStrict = flags.strict === true
      const ended = folder === null || isRestart ? null : await tellFinished(folder, isStrict)
      if (ended !== null) return end(ended)
      if (folder !== null && isRestart && flags.quiet !== true) await tellRemoved(folder)
      const options: CrawlOptions = {
        ...(folder === null ? { items: process.stdout } : { out: folder }),
        jobFile: file,
        environment: process.env,
        restart: isRestart,
        ...(flags.record === undefined ? {} : { record: resolve(flags.record) }),
        ...(flags.threads === undefined ? {} : { threads: flags.threads }),
        ...(flags.maxPages === undefined ? {} : { maxPages: flags.maxPages }),
        seedInput: process.stdin,
      }
      const watching = { quiet: flags.quiet === true, json: flags.json === true, folder }
      const { report, signalled } = await watchRun(crawl(job, options), watching)
      end(signalled ?? endOf(report, isStrict))
    })
}
