import { Command, InvalidArgumentError } from 'commander'
import { countText } from '../core/count-text.ts'
import { type ErrorCode, errorTraits } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { retryDead } from '../run/retry-dead.ts'
import { exitCodes } from './exit.ts'
import { counted, printable, tell } from './terminal.ts'

interface RetryFlags {
  readonly code?: readonly ErrorCode[]
}

/** `--code BLOCKED --code SERVER_ERROR`, or several in one. */
function errorCode(text: string, before: readonly ErrorCode[] = []): readonly ErrorCode[] {
  const codes = text.split(',').map(name => name.trim().toUpperCase())
  const wrong = codes.find(name => !Object.hasOwn(errorTraits, name))
  if (wrong !== undefined) {
    const meant = nearest(wrong, Object.keys(errorTraits))
    const hint = meant === null ? 'the README lists them' : `did you mean ${meant}?`
    throw new InvalidArgumentError(`${wrong} is no error code; ${hint}`)
  }
  return [...before, ...(codes as ErrorCode[])]
}

export function retryCommand(end: (exitCode: number) => void): Command {
  return new Command('retry')
    .description('put dead URLs of a run back, for `run` to go on with: their attempts begin anew')
    .argument('<dir>', 'folder of the run')
    .option('--code <code>', 'only those that died of this; may be repeated', errorCode)
    .action(async (folder: string, { code = [] }: RetryFlags) => {
      const { retried, left } = await retryDead(folder, code.length === 0 ? null : code)
      const byCode = Object.entries(retried)
      const urls = byCode.reduce((sum, [, number]) => sum + number, 0)
      if (urls === 0)
        tell(`Nothing to put back in ${printable(folder)}: ${counted(left, 'URL')} dead, none of them chosen.`)
      else {
        const why = byCode.map(([name, number]) => `${name} ${countText(number)}`).join(', ')
        tell(
          `${counted(urls, 'URL')} put back (${why}), ${countText(left)} still dead. Run the job again with the same --out.`,
        )
      }
      end(exitCodes.finished)
    })
}
