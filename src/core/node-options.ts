/** Node's own way to write options into `NODE_OPTIONS`: spaces part them, quotes keep a space, a backslash in quotes a quote. */
const word = /(?:"(?:\\.|[^"\\])*"|[^ "])+/gs
const quoted = /"((?:\\.|[^"\\])*)"/gs

const read = (text: string): readonly string[] =>
  (text.match(word) ?? []).map(written => written.replace(quoted, (_, inner: string) => inner.replace(/\\(.)/gs, '$1')))

const written = (option: string): string => (/[ "\\]/.test(option) ? `"${option.replace(/["\\]/g, '\\$&')}"` : option)

/** The options of Node that this process has from its environment. */
export const inheritedOptions = (): readonly string[] => read(process.env.NODE_OPTIONS ?? '')

/** All options of Node and of V8 that this process was started with. */
export const nodeOptions = (): readonly string[] => [...inheritedOptions(), ...process.execArgv]

/** The environment of this process, with other options of Node. */
export const environmentWith = (options: readonly string[]): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_OPTIONS: options.map(written).join(' '),
})
