import { environmentWith, inheritedOptions } from './node-options.ts'

/** Options of Node that say how modules are found and read, what may be done, and what is told: of those with a value. */
const withValue =
  /^(?:-[rC]|--(?:require|import|conditions|(?:experimental-)?loader|disable-warning|unhandled-rejections|allow-fs-(?:read|write)))$/
const withoutValue =
  /^--(?:no-)?(?:warnings|deprecation|addons|enable-source-maps|preserve-symlinks|(?:experimental-)?(?:strip-types|transform-types|require-module)|permission|allow-(?!fs)[a-z-]+)$/

export interface ThreadOptions {
  readonly execArgv?: string[]
  readonly env?: NodeJS.ProcessEnv
}

/**
 * What each of our threads is started with beside its own: nothing, so that it has the options of its process.
 *
 * But a thread is a file, and Node reads none under `--input-type`, which a program given as text may have, on its command
 * line or in `NODE_OPTIONS`. Where options are listed Node refuses all that hold for a process, and those of V8: so they
 * are not what is left out, but what is listed.
 *
 * @param argv options on the command line
 * @param inherited options in `NODE_OPTIONS`
 */
export function threadOptions(
  argv: readonly string[] = process.execArgv,
  inherited: readonly string[] = inheritedOptions(),
): ThreadOptions {
  return {
    ...(forText(argv) && { execArgv: keptOf(argv) }),
    ...(forText(inherited) && { env: environmentWith(keptOf(inherited)) }),
  }
}

const forText = (options: readonly string[]): boolean => options.some(option => /^--input-type(?:=|$)/.test(option))

function keptOf(options: readonly string[]): string[] {
  const isKept = (at: number): boolean => {
    const [name = ''] = (options[at] ?? '').split('=', 1)
    return withoutValue.test(name) || withValue.test(name) || withValue.test(options[at - 1] ?? '')
  }
  return options.filter((_, at) => isKept(at))
}
