import { Command } from 'commander'
import { realEnv } from '../core/clock.ts'
import { loadJob } from '../job/load-job.ts'
import { auditProxies, type HostAudit, type ProxiesAudit } from '../run/audit-proxies.ts'
import type { ExitAudit } from '../run/exit-audit.ts'
import { exitCodes } from './exit.ts'
import { wholeNumber } from './number.ts'
import { overridesOf, setting } from './setting.ts'
import { bold, counted, dim, print, printable, printableJson } from './terminal.ts'

interface ProxiesFlags {
  readonly echo?: string
  readonly requests: number
  readonly set: readonly string[]
  readonly json?: boolean
}

export function proxiesCommand(end: (exitCode: number) => void): Command {
  return new Command('proxies')
    .description('audit the proxies of a job: connect times, exits, connections a request, block rates by region')
    .argument('<job>', 'job file: YAML, JSON, or a TS/JS module exporting `job`')
    .argument('[urls...]', 'more seeds')
    .option('--echo <url>', 'a page of yours, or one you may ask, that answers with the address it is asked from')
    .option('--requests <n>', 'requests by way of each proxy', wholeNumber(1), 3)
    .option('--set <path=value>', 'change one setting of the job; may be repeated', setting, [])
    .option('--json', 'print the audit as JSON')
    .action(async (file: string, urls: readonly string[], flags: ProxiesFlags) => {
      const job = await loadJob(file, overridesOf(flags), urls)
      const audit = await auditProxies(job, {
        env: realEnv,
        environment: process.env,
        stdin: process.stdin,
        signal: new AbortController().signal,
        requests: flags.requests,
        ...(flags.echo !== undefined && { echo: flags.echo }),
      })
      if (flags.json === true) print(printableJson(audit, 2))
      else printAudit(audit)
      end(audit.proxies.some(isAnswered) ? exitCodes.finished : exitCodes.dead)
    })
}

const isAnswered = ({ connectionsPerRequest }: ExitAudit): boolean => connectionsPerRequest !== null

/** A table is read by a person. */
const shownExits = 20

type Row = readonly string[]

/** Numbers stand to the right, what comes first to the left. */
function printTable(headings: Row, rows: readonly Row[], texts: number): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(row => row[column]?.length ?? 0)),
  )
  const lineOf = (row: Row): string =>
    row
      .map((cell, column) => (column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  print(dim(lineOf(headings)))
  for (const row of rows) print(lineOf(row))
}

const ms = (value: number | undefined): string => (value === undefined ? '-' : `${value} ms`)

function failuresOf({ failures }: ExitAudit): string {
  const parts = Object.entries(failures).map(([failure, times]) => `${times} ${failure}`)
  return parts.length === 0 ? '0' : parts.join(', ')
}

const exitRow = (audit: ExitAudit): Row => [
  printable(audit.proxy),
  printable(audit.region),
  String(audit.requests),
  failuresOf(audit),
  ms(audit.connectMs?.p50),
  ms(audit.connectMs?.max),
  audit.connectionsPerRequest?.toFixed(2) ?? '-',
  audit.exits === null ? '-' : String(audit.exits.length),
]

const percent = ({ blocked, answers }: HostAudit): string =>
  answers === 0 ? '-' : `${Math.round((blocked / answers) * 100)} %`

const hostRow = (audit: HostAudit): Row => [
  printable(audit.host),
  printable(audit.region),
  String(audit.answers),
  String(audit.faults),
  percent(audit),
]

function exitsText(proxies: readonly ExitAudit[]): string {
  if (!proxies.some(isAnswered)) return 'No exit was seen: no proxy brought an answer.'
  const exits = [...new Set(proxies.flatMap(proxy => proxy.exits ?? []))]
  if (exits.length === 0) return 'No exit was seen: what the echo answered has no address in it.'
  return `${counted(exits.length, 'exit')} seen in all: ${exits.sort().slice(0, shownExits).join(', ')}`
}

function printAudit({ name, connection, echo, proxies, hosts }: ProxiesAudit): void {
  print(`${bold(printable(name))}: ${counted(proxies.length, 'way')} out, ${connection} connections.\n`)
  const headings = ['proxy', 'region', 'requests', 'faults', 'connect p50', 'max', 'connections/request', 'exits']
  printTable(headings, proxies.map(exitRow), 2)
  if (echo !== null) print(`\n${exitsText(proxies)}`)
  else if (!proxies.some(isAnswered)) print('\nNo proxy brought an answer.')
  for (const { proxy, lastFault } of proxies)
    if (lastFault !== null) print(`\n${printable(proxy)}: ${printable(lastFault)}`)
  if (hosts.length === 0) return
  print('')
  printTable(['host', 'region', 'answers', 'faults', 'blocked'], hosts.map(hostRow), 2)
}
