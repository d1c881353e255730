import { Command, CommanderError } from 'commander'
import { version } from '../version.ts'
import { demoCommand } from './demo.ts'
import { exitCodes, tellFailure } from './exit.ts'
import { parseCommand } from './parse.ts'
import { planCommand } from './plan.ts'
import { runCommand } from './run.ts'
import { schemaCommand } from './schema.ts'
import { printable, tell } from './terminal.ts'
import { tryCommand } from './try.ts'

const program = new Command('millrace')
  .description('Scrape and extract at high volume: adaptive, polite I/O on the main thread, parsing in worker threads.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .addHelpText(
    'after',
    `
Exit codes: 0 finished, 1 internal fault, 2 bad command line or job, 3 URLs ended dead with --strict,
130 or 143 stopped by a signal (drained).

Try it:  millrace demo`,
  )
  .showSuggestionAfterError()
  .exitOverride()

/** Each command answers with its exit code. */
const commands = [runCommand, planCommand, tryCommand, parseCommand, demoCommand, schemaCommand]

/** The command line, to its exit code. */
export async function runProgram(): Promise<number> {
  let exitCode: number = exitCodes.finished
  for (const command of commands)
    program.addCommand(
      command(code => {
        exitCode = code
      }).exitOverride(),
    )
  try {
    await program.parseAsync(process.argv)
    return exitCode
  } catch (thrown) {
    // Commander has told the person already; help and version come here too.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.finished : exitCodes.usage
    return tellFailure(thrown)
  }
}

// Progress that nobody reads is no reason to stop a run.
process.stderr.on('error', () => {})

// A reader that goes away (`| head`) is the end of the output, not a fault.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.finished)
  tell(printable(error.message))
  process.exit(exitCodes.fault)
})
