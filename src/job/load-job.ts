import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MillraceError, messageOf } from '../core/errors.ts'
import { moduleKindHint } from '../core/module-kind.ts'
import { checkJob } from './check-job.ts'
import { withIgnoredRobots } from './ignored-robots.ts'
import type { Job } from './job.ts'
import type { JobOverride } from './job-override.ts'

const refuse = (path: string, sentence: string, cause?: unknown): MillraceError =>
  new MillraceError('CONFIG_INVALID', `${path}: ${sentence}`, { cause })

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

async function parseYaml(text: string, path: string): Promise<unknown> {
  // Loaded only now: a job of another kind needs none of it.
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw refuse(`${path}:${line}:${col}`, `this is not YAML: ${firstLine(error.message)}`, error)
  }
  try {
    return document.toJS()
  } catch (thrown) {
    throw refuse(path, `this YAML cannot be resolved: ${messageOf(thrown)}`, thrown)
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw refuse(path, `this is not JSON: ${messageOf(thrown)}`, thrown)
  }
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such job file',
  EISDIR: 'this is a folder; expected a job file',
  EACCES: 'this file may not be read',
}

async function readText(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8')
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    throw refuse(path, readFailures[code] ?? `this file cannot be read (${messageOf(thrown)})`, thrown)
  }
}

async function importJob(path: string): Promise<unknown> {
  let module: Readonly<Record<string, unknown>>
  try {
    module = await import(pathToFileURL(path).href)
  } catch (thrown) {
    const message = firstLine(messageOf(thrown))
    throw refuse(path, `this module cannot be loaded: ${message}${moduleKindHint(message)}`, thrown)
  }
  if (!Object.hasOwn(module, 'job'))
    throw refuse(path, 'this module exports no `job`; expected `export const job = defineJob({ ... })`')
  return module.job
}

async function readJob(path: string): Promise<unknown> {
  const extension = extname(path).toLowerCase()
  if (/^\.ya?ml$/.test(extension)) return parseYaml(await readText(path), path)
  if (extension === '.json') return parseJson(await readText(path), path)
  if (/^\.[cm]?[jt]s$/.test(extension)) {
    // Its error is clearer than that of a failing import.
    await readText(path)
    return importJob(resolve(path))
  }
  await readText(path)
  throw refuse(
    path,
    'this is not the name of a job file; expected one that ends in .yaml, .yml, .json, .ts, .mts, .js or .mjs',
  )
}

/** `urls` as further seeds. What is not a list stays as it is, for the check to name it. */
function withSeeds(input: unknown, urls: readonly string[]): unknown {
  if (urls.length === 0 || typeof input !== 'object' || input === null) return input
  const { seeds = [] } = input as { readonly seeds?: unknown }
  return Array.isArray(seeds) ? { ...input, seeds: [...seeds, ...urls] } : input
}

/**
 * Reads a job file: YAML, JSON, or a TypeScript or JavaScript module that exports `job`.
 * @param overrides put in before the job is checked, in their order
 * @param urls further seeds; a job may then have none of its own
 * @param ignoreRobots further hosts whose robots file is ignored
 * @throws CONFIG_INVALID the file cannot be read (with line and column where there are any) or the job is not acceptable
 */
export async function loadJob(
  path: string,
  overrides: readonly JobOverride[] = [],
  urls: readonly string[] = [],
  ignoreRobots: readonly string[] = [],
): Promise<Job> {
  const written = await readJob(path)
  // Its values are YAML as well, so it is loaded as late.
  const input = overrides.length === 0 ? written : (await import('./job-override.ts')).overrideJob(written, overrides)
  return checkJob(withIgnoredRobots(withSeeds(input, urls), ignoreRobots), { path, baseDir: dirname(resolve(path)) })
}
