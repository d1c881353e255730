/** Options of Node that say how modules are found and read, what may be done, and what is told: of those with a value. */
const withValue =
  /^(?:-[rC]|--(?:require|import|conditions|(?:experimental-)?loader|disable-warning|unhandled-rejections|allow-fs-(?:read|write)))$/
const withoutValue =
  /^--(?:no-)?(?:warnings|deprecation|addons|enable-source-maps|preserve-symlinks|(?:experimental-)?(?:strip-types|transform-types|require-module)|permission|allow-(?!fs)[a-z-]+)$/

/**
 * What each of our threads is started with beside its own: nothing, so that it has the options of its process.
 *
 * But a thread is a file, and Node reads none under `--input-type`, which a program given as text may have. Where options
 * are listed Node refuses all that hold for a process, and those of V8: so they are not what is left out, but what is listed.
 */
export function threadOptions(argv: readonly string[] = process.execArgv): { readonly execArgv?: string[] } {
  if (!argv.some(option => /^--input-type(?:=|$)/.test(option))) return {}
  const isKept = (at: number): boolean => {
    const [name = ''] = (argv[at] ?? '').split('=', 1)
    return withoutValue.test(name) || withValue.test(name) || withValue.test(argv[at - 1] ?? '')
  }
  return { execArgv: argv.filter((_, at) => isKept(at)) }
}
