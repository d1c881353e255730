import { averagesOf, type RunProfile, type StageLevels } from './run-profile.ts'

/**
 * Little's law (L = λW; Little, 1961) as a test of what a run measured. Over a run that begins and ends with nothing in
 * its stages it holds exactly, whatever the law of arrivals is (Little, 2011): so there are two ways to how many were in
 * a stage on average, and they must come to the same.
 *
 *     reckoned   those that went through it in a second, times how long each says it was there
 *     counted    those that were in it, as the main thread saw them come and go, averaged over the time of the run
 *
 * Verdict and predictions rest on what is reckoned. Where it is not what was counted, times are lost or wrong (a thread
 * that was ended says nothing of the page it was at), or somebody came and was never seen to leave.
 *
 * How long a page was parsed says the clock of its thread; that it is there the main thread sees when it comes to the
 * reply. So what is counted has the hand-over of each page in it, and as much as the main thread is late, which is not a
 * mistake. Where the main thread parses, its clock is the only one, and there is nothing to compare.
 */
export interface Discrepancy {
  readonly stage: keyof StageLevels
  readonly reckoned: number
  readonly counted: number
}

/** What predictions are to be right within (`bench/what-if.ts`): they go up and down with these figures. */
const mostApart = 0.15

/** No verdict turns on less of a page. */
const leastApart = 0.1

/** From one thread to another, where that one has nothing else to do. */
const handOverMs = 1

function lateOf({ pages, durationMs, loopDelayMs }: RunProfile): number {
  return (pages * (handOverMs + loopDelayMs)) / Math.max(1, durationMs)
}

/** The stages that were not the same both ways, by more than may be. */
export function discrepanciesOf(run: RunProfile): readonly Discrepancy[] {
  const { meanInFlight, queued, parsing } = averagesOf(run)
  const { counted } = run
  const stages: readonly (Discrepancy & { readonly allowance: number })[] = [
    { stage: 'inFlight', reckoned: meanInFlight, counted: counted.inFlight, allowance: 0 },
    { stage: 'parseQueue', reckoned: queued, counted: counted.parseQueue, allowance: 0 },
    { stage: 'parsing', reckoned: parsing, counted: counted.parsing, allowance: lateOf(run) },
  ]
  const compared = run.threads === 0 ? stages.slice(0, 1) : stages
  return compared.filter(
    ({ reckoned, counted: seen, allowance }) =>
      Math.abs(reckoned - seen) > Math.max(leastApart, mostApart * Math.max(reckoned, seen)) + allowance,
  )
}

/** What clocks that are read at different moments may differ by. */
const slack = 1.05

/** No stage can hold more on average than its bound. */
export function isWithinBounds(run: RunProfile): boolean {
  const { meanInFlight, parsing, slotsFull } = averagesOf(run)
  const threads = Math.max(1, run.threads)
  return meanInFlight <= run.inFlightBound * slack && parsing <= threads * slack && slotsFull <= slack
}

/** Else what was measured does not fit together, and neither verdict nor predictions are worth much. */
export const isConsistent = (run: RunProfile): boolean => isWithinBounds(run) && discrepanciesOf(run).length === 0
