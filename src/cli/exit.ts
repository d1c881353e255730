import { type ErrorCode, MillraceError, messageOf } from '../core/errors.ts'
import { textWithoutCredentials } from '../core/url.ts'
import { printable, red, tell } from './terminal.ts'

/** The exit codes that scripts rely on; listed in the README. */
export const exitCodes = {
  finished: 0,
  fault: 1,
  usage: 2,
  dead: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

const usageCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['CONFIG_INVALID'])

/** As the system says it, and as SQLite does. */
const isFull = ({ code, message }: MillraceError): boolean =>
  (code === 'SINK_FAILED' || code === 'STORE_FAILED') && /\bENOSPC\b|disk is full/.test(message)

/** One clear line with a code, and the exit code that goes with it. An unexpected fault shows its stack. */
export function tellFailure(thrown: unknown): number {
  if (thrown instanceof MillraceError) {
    for (const line of textWithoutCredentials(thrown.message).split('\n'))
      tell(`${red(thrown.code)}  ${printable(line)}`)
    if (isFull(thrown)) tell('The disk is full: make room and run the same command again, which goes on from here.')
    return usageCodes.has(thrown.code) ? exitCodes.usage : exitCodes.fault
  }
  tell(`${red('INTERNAL')}  ${printable(messageOf(thrown))}`)
  if (thrown instanceof Error) for (const line of thrown.stack?.split('\n') ?? []) tell(printable(line))
  return exitCodes.fault
}
