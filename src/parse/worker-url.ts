/**
 * The thread entry beside this very build: `.ts` in a checkout, `.js` once compiled. The compiler rewrites import
 * specifiers but not strings inside `new URL`, so the extension is taken from where this file itself was loaded.
 */
export const workerUrl = new URL(
  `../../workers/parse${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
)
