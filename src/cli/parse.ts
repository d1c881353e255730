import { Command } from 'commander'
import { countText } from '../core/count-text.ts'
import type { Job } from '../job/job.ts'
import { loadJob } from '../job/load-job.ts'
import { createAuditTally } from '../observe/audit-tally.ts'
import { availableThreads } from '../run/cores.ts'
import { readInputs } from '../run/inputs.ts'
import { parseInputs } from '../run/parse-inputs.ts'
import { exitCodes } from './exit.ts'
import { wholeNumber } from './number.ts'
import { overridesOf } from './setting.ts'
import { tellAudit } from './tell-audit.ts'
import { counted, printable, red, tell } from './terminal.ts'

interface ParseFlags {
  readonly page?: string
  readonly url?: string
  readonly threads?: number
  readonly audit?: string
  readonly replay?: boolean
  readonly strict?: boolean
}

export function parseCommand(end: (exitCode: number) => void): Command {
  return new Command('parse')
    .description('the parse stage alone: pages from files, folders, JSON lines or a pipe, items to standard output')
    .argument('<job>', 'job file: YAML, JSON, or a TS/JS module exporting `job`')
    .argument(
      '<input...>',
      'files, folders, web archives (.warc, .warc.gz), .jsonl files of { url, html }, or - for standard input',
    )
    .option('--page <name>', 'the page rule to use (default: the first that fits the URL)')
    .option('--url <url>', 'where files come from: base of their paths and links (default: their own place)')
    .option('--threads <n>', 'worker threads for parsing', wholeNumber(1))
    .option('--audit <share>', 'read this part of the pages by both parsers, such as 0.01, and tell what differs')
    .option('--replay', 'inputs are pages that a run set aside in its `dead` folder')
    .option('--strict', 'exit with 3 when a page could not be parsed (without it: when none could)')
    .action(async (file: string, paths: readonly string[], flags: ParseFlags) => {
      // Seeds are of no matter here, but a job without any is none.
      const job = await loadJob(file, overridesOf({ set: [], ...flags }), ['http://localhost/'])
      const { pages, failed } = await parseAll(job, paths, flags)
      // Where nothing could be parsed there is nothing that a script could go on with.
      const isLost = failed > 0 && (flags.strict === true || failed === pages)
      end(isLost ? exitCodes.dead : exitCodes.finished)
    })
}

interface Counts {
  readonly pages: number
  readonly failed: number
}

async function parseAll(job: Job, paths: readonly string[], flags: ParseFlags): Promise<Counts> {
  const inputs = readInputs(paths, {
    stdin: process.stdin,
    replay: flags.replay === true,
    baseUrl: flags.url ?? null,
  })
  const threads = flags.threads ?? (flags.replay === true ? 1 : availableThreads())
  const counts = { pages: 0, items: 0, failed: 0 }
  const audits = createAuditTally()
  for await (const reply of parseInputs(job, inputs, { threads, page: flags.page ?? null })) {
    counts.pages += 1
    if (reply.audit !== undefined) audits.add(reply.audit)
    if (reply.kind === 'parsed') {
      counts.items += reply.itemCount
      await printBytes(reply.output)
    } else counts.failed += 1
    const faults = reply.kind === 'parsed' ? (reply.refused ?? []) : [reply.fault]
    for (const { code, message } of faults) tell(`${red(code)}  ${printable(message)}`)
  }
  const { pages, items, failed } = counts
  const lost = failed === 0 ? '' : `, ${countText(failed)} could not be parsed`
  tell(`${counted(items, 'item')} from ${counted(pages, 'page')}${lost}.`)
  tellAudit(job.audit === 0 ? null : audits.report())
  return counts
}

/** Waits while whoever reads the items is behind. */
async function printBytes(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength === 0 || process.stdout.write(bytes)) return
  await new Promise(resolve => process.stdout.once('drain', resolve))
}
