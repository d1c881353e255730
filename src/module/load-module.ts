import { access } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { MillraceError } from '../core/errors.ts'
import { moduleKindHint } from '../core/module-kind.ts'
import type { ModuleParse } from './module-page.ts'
import { modulePlace, unloadable } from './module-rules.ts'
import { userErrorText } from './user-error.ts'

const isParse = (value: unknown): value is ModuleParse => typeof value === 'function'

/**
 * Imports a user's module, TypeScript or JavaScript, in the calling thread.
 * @param page the page rule that names it
 * @param job what messages call the job of that rule
 * @throws CONFIG_INVALID there is no such file, it does not load (with its file and line), or it exports no `parse`
 */
export async function loadModule(path: string, page: string, job?: string): Promise<ModuleParse> {
  const place = modulePlace(path, page, job)
  const refuse = (message: string, cause?: unknown): MillraceError =>
    new MillraceError('CONFIG_INVALID', message, { cause })
  // The error of a failing import names the file that imports, which is ours.
  await access(path).catch(cause => Promise.reject(refuse(`${place}: there is no such file`, cause)))
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = await import(pathToFileURL(path).href)
  } catch (thrown) {
    const message = userErrorText(thrown)
    throw refuse(unloadable(place, `${message}${moduleKindHint(message)}`), thrown)
  }
  const { parse } = exported
  if (!isParse(parse))
    throw refuse(
      `${place}: it exports ${parse === undefined ? 'no `parse`' : 'a `parse` that is no function'}; ` +
        'expected `export function parse(page) { ... }`',
    )
  return parse
}
