import type { Standstill } from '../core/standstill.ts'
import { counted, duration, printable, tell } from './terminal.ts'

const doing = { fetch: 'being fetched', parse: 'being parsed', keep: 'waiting to be kept' } as const

/** What a run that stands still waits for, a line each. */
export function tellStandstill({ quietMs, underWay, oldest, queued, waits }: Standstill): void {
  tell(
    `Nothing has moved for ${duration(quietMs)}: ${counted(underWay, 'URL')} under way, ${counted(queued, 'URL')} waiting.`,
  )
  for (const { url, stage, ageMs } of oldest) tell(`  ${printable(url)} is ${doing[stage]}, for ${duration(ageMs)}`)
  if (underWay > oldest.length) tell(`  and ${underWay - oldest.length} more`)
  for (const sentence of waits) tell(`  ${printable(sentence)}`)
}
