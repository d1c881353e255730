import { Command, CommanderError, Help, type Option } from 'commander'
import { version } from '../version.ts'
import { exitCodes, tellFailure } from './exit.ts'
import { printable, tell } from './terminal.ts'

const program = new Command('millrace')
  .description('Scrape and extract at high volume: adaptive, polite I/O on the main thread, parsing in worker threads.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .addHelpText(
    'after',
    `
Exit codes: 0 finished, 1 internal fault, 2 bad command line or job, 3 URLs ended dead with --strict, or
nothing could be read (parse) or answered (proxies), 129, 130 or 143 stopped by a signal (drained).

Try it:  millrace demo`,
  )
  .showSuggestionAfterError()
  .exitOverride()

/** Answers with its exit code. */
type MakeCommand = (end: (exitCode: number) => void) => Command

/** Only the one that is asked for is loaded: what it does not need would hold up its first request. */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import('./run.ts')).runCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  retry: async () => (await import('./retry.ts')).retryCommand,
  try: async () => (await import('./try.ts')).tryCommand,
  parse: async () => (await import('./parse.ts')).parseCommand,
  bench: async () => (await import('./bench.ts')).benchCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  proxies: async () => (await import('./proxies.ts')).proxiesCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
}

/** All of them where the help must list them. */
function loadCommands(asked: string | undefined): Promise<readonly MakeCommand[]> {
  const one = asked !== undefined && Object.hasOwn(commands, asked) ? commands[asked] : undefined
  return Promise.all((one === undefined ? Object.values(commands) : [one]).map(load => load()))
}

/** What may be repeated begins as an empty list, which is no default to tell of. */
const help = {
  optionDescription: (option: Option): string =>
    Array.isArray(option.defaultValue) ? option.description : new Help().optionDescription(option),
}

/** The command line, to its exit code. */
export async function runProgram(): Promise<number> {
  let exitCode: number = exitCodes.finished
  for (const command of await loadCommands(process.argv[2]))
    program.addCommand(
      command(code => {
        exitCode = code
      })
        .exitOverride()
        .configureHelp(help),
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
