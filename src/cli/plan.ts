import { Command } from 'commander'
import { countText } from '../core/count-text.ts'
import type { LimiterPolicy, Rate } from '../job/job.ts'
import { loadJob } from '../job/load-job.ts'
import { type HostPlan, type JobPlan, planJob } from '../run/plan-job.ts'
import { exitCodes } from './exit.ts'
import { hostList, overridesOf, setting } from './setting.ts'
import { bold, dim, duration, print, printable, printableJson, tell } from './terminal.ts'

interface PlanFlags {
  readonly preset?: string
  readonly set: readonly string[]
  readonly ignoreRobots: readonly string[]
  readonly json?: boolean
}

const shownHosts = 50

export function planCommand(end: (exitCode: number) => void): Command {
  return new Command('plan')
    .description('dry run: what would be asked of whom, how fast, and why; fetches no page')
    .argument('<job>', 'job file: YAML, JSON, or a TS/JS module exporting `job`')
    .argument('[urls...]', 'more seeds')
    .option('--preset <name>', 'polite, general or bulk')
    .option('--set <path=value>', 'change one setting of the job; may be repeated', setting, [])
    .option(
      '--ignore-robots <hosts>',
      'do not ask for the robots files of these hosts, whose owner agreed: a.test,b.test; may be repeated',
      hostList,
      [],
    )
    .option('--json', 'print the plan as JSON')
    .action(async (file: string, urls: readonly string[], flags: PlanFlags) => {
      const job = await loadJob(file, overridesOf(flags), urls, flags.ignoreRobots)
      const plan = await planJob(job, process.stdin, new AbortController().signal, process.env)
      if (flags.json === true) print(printableJson(plan, 2))
      else printPlan(plan)
      end(exitCodes.finished)
    })
}

const many = (number: number, noun: string): string => `${countText(number)} ${noun}${number === 1 ? '' : 's'}`

const rateText = ({ tokensPerSecond, burst }: Rate): string => {
  const pace = tokensPerSecond < 1 ? `${+(tokensPerSecond * 60).toFixed(2)} a minute` : `${tokensPerSecond} a second`
  return burst === 1 ? pace : `${pace}, ${burst} at once`
}

const policyText = (policy: LimiterPolicy): string =>
  policy.policy === 'fixed'
    ? `fixed: ${policy.max} requests in flight`
    : `${policy.policy}: from ${policy.start} up to ${policy.max} requests in flight, as the host bears it`

function paceText({ delayMs: { min, max }, rate, spacingMs }: HostPlan): string {
  if (spacingMs === 0) return 'no delay, no rate: as fast as it answers'
  const parts: string[] = []
  if (max > 0)
    parts.push(
      min === max ? `${duration(min)} between departures` : `${duration(min)} to ${duration(max)} between departures`,
    )
  if (rate !== null) parts.push(`at most ${rateText(rate)}`)
  return `${parts.join(', ')}: a page every ${duration(spacingMs)} or so`
}

const robotsText = ({ robots }: HostPlan): string =>
  robots === 'ignored'
    ? 'robots.txt: ignored, as the job or --ignore-robots says for this host'
    : 'robots.txt: obeyed, and asked for first; a longer Crawl-delay than the delay above wins'

function printHost(host: HostPlan): void {
  const seedsMs = (host.seeds - 1) * host.spacingMs
  const time = seedsMs > 0 ? `, in ${duration(seedsMs)} or more` : ''
  print(`\n${bold(printable(host.host))}  ${many(host.seeds, 'seed')}${time}`)
  print(`  ${policyText(host.perHost)}${host.isOpen ? ' (loopback)' : ''}`)
  print(`  ${paceText(host)}`)
  print(`  ${robotsText(host)}`)
  print(dim(`  from ${printable(host.because)}${host.reason === null ? '' : `; reason: ${printable(host.reason)}`}`))
}

function printProxies({ connection, rotation, count: all, regions, unread }: NonNullable<JobPlan['proxies']>): void {
  const shown = regions.map(
    ({ region, count: own }) => `${countText(own)} in ${region === '' ? 'regions of their own' : printable(region)}`,
  )
  const later = unread === 0 ? '' : `, and what ${many(unread, 'function')} of the job will name`
  print(
    `Through ${countText(all)} ${all === 1 ? 'proxy' : 'proxies'} (${shown.join(', ') || 'none yet'})${later}: ${rotation}, ${connection} connections.`,
  )
}

function printPlan(plan: JobPlan): void {
  const { seeds, badSeeds, hostCount, hosts, inFlight, perDomain, perAddress, globalRate, leastMs } = plan
  print(`${bold(printable(plan.name))}: ${many(seeds, 'seed')} on ${many(hostCount, 'host')}, preset ${plan.preset}`)
  const rate = globalRate === null ? '' : `, at most ${rateText(globalRate)}`
  print(`Over all hosts: at most ${many(inFlight, 'request')} in flight${rate}.`)
  if (perDomain !== null) print(`Over the hosts of one registrable domain: at most ${perDomain} in flight.`)
  if (perAddress !== null) print(`Over the hosts of one address: at most ${perAddress} in flight.`)
  if (plan.proxies !== null) printProxies(plan.proxies)
  if (badSeeds > 0) print(`No seeds, and told by a run as URLs that failed: ${many(badSeeds, 'line')}.`)
  if (leastMs > 0) print(`The seeds take ${duration(leastMs)} at least; pages that are followed come on top.`)
  for (const host of hosts.slice(0, shownHosts)) printHost(host)
  if (hostCount > shownHosts) tell(dim(`\nand ${countText(hostCount - shownHosts)} hosts with fewer seeds`))
}
