import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Reading and compiling the code is most of a start, of the process and of every worker thread: what was compiled once is
 * kept, and found by its content. In a folder of the user's own, since compiled code is run as it is found, and the
 * system's temporary folder is everybody's. `NODE_COMPILE_CACHE` names another, `NODE_DISABLE_COMPILE_CACHE=1` none.
 */
export function keepCompiledCode(): void {
  const own = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'millrace')
  const { directory } = enableCompileCache(process.env.NODE_COMPILE_CACHE || own)
  // Worker threads look here, as the process does.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ||= directory
}
