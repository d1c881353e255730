import { faultOf } from '../core/errors.ts'
import type { ParseReply, ParseRequest } from '../core/wire.ts'
import type { Ended } from './watch.ts'

/** The reply for a page that was ended, or never begun. */
export const faulted = ({ finalUrl, page }: ParseRequest, { code, what }: Ended): ParseReply => ({
  kind: 'faulted',
  fault: faultOf(code, `${finalUrl} (page ${page}) ${what}`),
  cpuMs: 0,
})

export const tooLate = (waitedMs: number, queueMs: number): Ended => ({
  code: 'PARSE_UNBEGUN',
  what: `waited ${Math.round(waitedMs)} ms for a thread, longer than ${queueMs} ms`,
})

export const endedProcess = (deaths: number): Ended => ({
  code: 'PARSE_CRASHED',
  what: `was being parsed each of the ${deaths} times the whole process died, and is not parsed again`,
})

/** Of a body that went to a thread that never began with it. */
export const lostBody: Ended = { code: 'PARSE_UNBEGUN', what: 'was lost with a thread that had not begun with it' }
