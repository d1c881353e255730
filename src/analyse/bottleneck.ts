/** What a run measured of itself, as far as the verdict needs it. */
export interface Utilisation {
  readonly durationMs: number
  readonly threads: number
  readonly workerCpuMs: number
  readonly mainCpuMs: number
  /** Sum over all requests of the time they were under way. */
  readonly requestMs: number
  readonly inFlightBound: number
  /** Mean over hosts of (time in flight / limit), weighted by requests: 1 is a host held full all the time. */
  readonly hostFullness: number
  /** Part of the run in which spacing or a rate, not a limit, held the busiest host back. */
  readonly pacedShare: number
}

export interface Bottleneck {
  readonly kind: 'parse' | 'main-thread' | 'in-flight' | 'host-limit' | 'pace' | 'network'
  readonly sentence: string
  readonly evidence: {
    readonly workersBusy: number
    readonly mainBusy: number
    readonly meanInFlight: number
    readonly hostFullness: number
    readonly pacedShare: number
  }
}

/** A resource that is busy this much of the time is what binds. */
const busy = 0.8

const percent = (share: number): string => `${Math.round(share * 100)} %`
const round = (value: number): number => Math.round(value * 1000) / 1000

/** Which of the things a run can wait for it waited for most, in one sentence with its evidence. */
export function bottleneckOf(used: Utilisation): Bottleneck {
  const spanMs = Math.max(1, used.durationMs)
  const workersBusy = used.threads === 0 ? 0 : used.workerCpuMs / (used.threads * spanMs)
  const mainBusy = used.mainCpuMs / spanMs
  // Little's law: requests under way on average are the time they took, over the time of the run.
  const meanInFlight = used.requestMs / spanMs
  const evidence = {
    workersBusy: round(workersBusy),
    mainBusy: round(mainBusy),
    meanInFlight: round(meanInFlight),
    hostFullness: round(used.hostFullness),
    pacedShare: round(used.pacedShare),
  }
  const verdict = (kind: Bottleneck['kind'], sentence: string): Bottleneck => ({ kind, sentence, evidence })
  if (workersBusy >= busy)
    return verdict(
      'parse',
      `Parsing binds: ${used.threads} worker threads were busy ${percent(workersBusy)} of the time.`,
    )
  if (mainBusy >= busy)
    return verdict('main-thread', `The main thread binds: it was busy ${percent(mainBusy)} of the time.`)
  if (meanInFlight >= busy * used.inFlightBound)
    return verdict(
      'in-flight',
      `limits.inFlight binds: ${meanInFlight.toFixed(1)} of ${used.inFlightBound} requests were under way on average.`,
    )
  if (used.pacedShare >= 0.5)
    return verdict(
      'pace',
      `Politeness binds: spacing or a rate held the busiest host back ${percent(used.pacedShare)} of the time.`,
    )
  if (used.hostFullness >= 0.6)
    return verdict('host-limit', `The limits of the hosts bind: they were held ${percent(used.hostFullness)} full.`)
  return verdict(
    'network',
    `The hosts' answers bind: ${meanInFlight.toFixed(1)} requests were under way on average, workers ${percent(workersBusy)} busy.`,
  )
}
