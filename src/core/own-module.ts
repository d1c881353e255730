/**
 * A module of this very build, by its path from the root without its ending: `.ts` in a checkout, `.js` once compiled. The
 * compiler rewrites import specifiers but not strings inside `new URL`, so the ending is taken from where this file itself
 * was loaded.
 */
export const ownModule = (path: string): URL =>
  new URL(`../../${path}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
